import SignetVocabulary
import Testing

@testable import SignetVault

/// What is known of an item that went with the fingers it was bound to.
@Suite struct ChangeTests {
  private func bound(_ name: String, _ access: AccessControl = AccessControl(.biometryCurrentSet)) -> Item {
    Item(ItemName(service: name, account: ""), accessControl: access)
  }

  private func change(_ time: UInt64) -> FingerChange { FingerChange(.enrolled, .leftThumb, time: time) }

  @Test func `an item that was lost names the change that cost it, and no later one`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    func listed() throws -> [FingerChange?] { try test.vault().list().items.map(\.change) }
    try test.add(bound("a"), "a", key)
    try test.add(bound("any", AccessControl(.biometryAny)), "a", key)
    #expect(try listed() == [nil, nil])
    try test.vault().renewFingerSet(for: change(10))
    try test.add(bound("b"), "b", key)
    #expect(try listed() == [change(10), nil, nil])
    let all = FingerChange(.deleted, nil, time: 20)
    try test.vault().renewFingerSet(for: all)
    #expect(try listed() == [change(10), nil, all])
    // What is stored anew is of the present fingers.
    try test.update(bound("a"), "c", key)
    #expect(try listed() == [nil, nil, all])
  }

  @Test func `only so many changes are kept, and what went before them says no wrong one`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    try test.add(bound("first"), "a", key)
    try test.vault().renewFingerSet(for: change(0))
    try test.add(bound("second"), "a", key)
    for number in 1...FingerSet.mostChanges { try test.vault().renewFingerSet(for: change(UInt64(number))) }
    let items = try test.vault().list().items
    #expect(items.map(\.isOfCurrentSet) == [false, false])
    #expect(items.map(\.change) == [nil, change(1)])
    #expect(try test.vault().fingerSet().changes.count == FingerSet.mostChanges)
  }
}
