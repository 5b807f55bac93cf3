import SignetBytes
import SignetSealing
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// Every access control and accessibility, against every proof, state of the key, and set of fingers.
@Suite struct ReleaseTests {
  /// An access control, and which of these open it: a finger, the passcode, both, none; a finger and both after the enrolled
  /// fingers changed (of the others nothing depends on the set).
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let control: AccessControl
    let finger, passcode, both, none, fingerOfNewSet, bothOfNewSet: Bool
    var testDescription: String { name }

    init(_ name: String, _ control: AccessControl, _ opens: String) {
      self.name = name
      self.control = control
      let marks = opens.split(separator: " ").map { $0 == "yes" }
      (finger, passcode, both, none, fingerOfNewSet, bothOfNewSet) = (marks[0], marks[1], marks[2], marks[3], marks[4], marks[5])
    }
  }

  static let rows = [
    // finger, passcode, both, none; finger of a new set, both of a new set
    Row("none", AccessControl(), "yes yes yes yes yes yes"),
    Row("biometryAny", AccessControl(.biometryAny), "yes no yes no yes yes"),
    Row("biometryCurrentSet", AccessControl(.biometryCurrentSet), "yes no yes no no no"),
    Row("userPresence", AccessControl(.userPresence), "yes yes yes no yes yes"),
    Row("devicePasscode", AccessControl(.devicePasscode), "no yes yes no no yes"),
    Row("any and passcode", AccessControl([.biometryAny, .devicePasscode], .and), "no no yes no no yes"),
    Row("any or passcode", AccessControl([.biometryAny, .devicePasscode], .or), "yes yes yes no yes yes"),
    Row("set and passcode", AccessControl([.biometryCurrentSet, .devicePasscode], .and), "no no yes no no no"),
    Row("set or passcode", AccessControl([.biometryCurrentSet, .devicePasscode], .or), "yes yes yes no no yes"),
    Row("set and presence", AccessControl([.biometryCurrentSet, .userPresence], .and), "yes no yes no no no"),
    Row("set or presence", AccessControl([.biometryCurrentSet, .userPresence], .or), "yes yes yes no yes yes"),
    Row("set or any", AccessControl([.biometryCurrentSet, .biometryAny], .or), "yes no yes no yes yes"),
  ]

  @Test(arguments: rows, Accessibility.allCases)
  func `an item is released for the proof that its access control asks for, and for no other`(
    row: Row, accessibility: Accessibility
  ) throws {
    let test = try TestVault()
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"), accessControl: row.control, accessibility: accessibility)
    try test.add(item, "value", key)
    for state in [KeyState.unlocked, .afterFirstUnlock] {
      let hasFallback = state == .unlocked || accessibility == .afterFirstUnlock
      #expect(opens(test, key, .fingerprint, state) == row.finger)
      #expect(opens(test, key, .passcode, state) == row.passcode)
      #expect(opens(test, key, [.fingerprint, .passcode], state) == row.both)
      #expect(opens(test, key, [], state) == (row.none && hasFallback))
    }
    expectNothing(test, key, [.locked, .beforeFirstUnlock])
    try test.vault().renewFingerSet()
    #expect(opens(test, key, .fingerprint, .unlocked) == row.fingerOfNewSet)
    #expect(opens(test, key, .passcode, .unlocked) == row.passcode)
    #expect(opens(test, key, [.fingerprint, .passcode], .unlocked) == row.bothOfNewSet)
    #expect(opens(test, key, [], .unlocked) == row.none)
    expectNothing(test, key, [.locked, .beforeFirstUnlock])
  }

  private func opens(_ test: TestVault, _ key: [UInt8], _ proof: Proof, _ state: KeyState) -> Bool {
    (try? test.read(ItemName(service: "s", account: "a"), key, proof: proof, state: state)) == "value"
  }

  /// Expects that the item is released neither with this key in these states, nor without a key in any state.
  private func expectNothing(_ test: TestVault, _ key: [UInt8], _ states: [KeyState]) {
    for proof in [Proof.fingerprint, .passcode, [.fingerprint, .passcode], []] {
      for state in states { #expect(!opens(test, key, proof, state)) }
      for state in KeyState.allCases {
        let name = ItemName(service: "s", account: "a")
        #expect(test.cause { _ = try test.read(name, nil, proof: proof, state: state) }?.cause == .locked)
      }
    }
  }

  @Test func `why nothing is released is told apart`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    let name = ItemName(service: "s", account: "a")
    try test.add(Item(name, accessControl: AccessControl(.biometryCurrentSet)), "value", key)
    #expect(test.cause { _ = try test.read(name, key, proof: .passcode) }?.cause == .proofMissing)
    #expect(test.cause { _ = try test.read(name, key, proof: [], state: .afterFirstUnlock) }?.cause == .locked)
    let other = ItemName(service: "s", account: "b")
    #expect(test.cause { _ = try test.read(other, key) }?.cause == .notFound)
    try test.vault().renewFingerSet()
    let error = test.cause { _ = try test.read(name, key, proof: .fingerprint) }
    #expect(error?.cause == .setChanged)
    #expect(try error?.path == test.itemFile())
  }

  @Test func `an item for the current set alone has no wrap that opens without it`() throws {
    for control in [AccessControl(.biometryCurrentSet), AccessControl([.biometryCurrentSet, .devicePasscode], .and)] {
      #expect(!control.hasPlainWrap && control.hasSetWrap)
    }
    for control in [AccessControl(), AccessControl(.biometryAny), AccessControl(.devicePasscode), AccessControl(.userPresence)] {
      #expect(control.hasPlainWrap && !control.hasSetWrap)
    }
    let either = AccessControl([.biometryCurrentSet, .devicePasscode], .or)
    #expect(either.hasPlainWrap && either.hasSetWrap)
  }

  @Test func `no part of such an item opens with the user key alone, whatever is asked`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"), accessControl: AccessControl(.biometryCurrentSet))
    try test.add(item, "value", key)
    let vault = try test.vault()
    let entry = try #require(vault.readIndex()?.entries.first)
    let file = try ItemFile(
      RawFile.read(test.itemFile()), uid: 1000, digest: entry.digest, under: vault.deviceKey, at: "")
    for part in [ItemHeader.Part.plainWrap, .setWrap] { #expect(file.opened(part, key) == nil) }
    #expect(file.sealedValue.count == "value".utf8.count + SealingKey.overhead)
  }

  @Test func `what is stored for a new set opens with it`() throws {
    let test = try TestVault()
    let key = try test.createKey()
    let item = Item(ItemName(service: "s", account: "a"), accessControl: AccessControl(.biometryCurrentSet))
    try test.add(item, "old", key)
    try test.vault().renewFingerSet()
    try test.update(item, "new", key)
    #expect(try test.read(item.name, key, proof: .fingerprint) == "new")
  }
}

extension ItemFile {
  /// What opens with the key that an item without a set is wrapped under.
  fileprivate func opened(_ part: ItemHeader.Part, _ key: [UInt8]) -> [UInt8]? {
    guard let userKey = try? userKey(key), let wrapping = userKey.plainWrappingKey(header.entry.digest),
      let value = open(part, under: wrapping)
    else { return nil }
    return Array(copying: value.span)
  }
}
