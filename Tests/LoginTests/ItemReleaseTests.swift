import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What the real signetd asks for and releases: every access control and accessibility class with a finger, the passcode and
/// nothing, while the vault is open, locked and not opened yet, and after the fingers changed. SignetVaultTests.ReleaseTests
/// try all combinations of proofs and keys on the library.
@Suite(.serialized) struct ItemReleaseTests {
  /// An access control, and which proof of the fingers that are enrolled opens it, and which after they changed.
  struct Row: Sendable {
    let name: String
    let control: AccessControl
    let finger, passcode, both, none, fingerOfOtherSet: Bool

    init(_ name: String, _ constraints: AccessControl.Constraints, _ connective: AccessControl.Connective, _ opens: String) {
      self.name = name
      control = AccessControl(constraints, connective)
      let marks = opens.split(separator: " ").map { $0 == "yes" }
      (finger, passcode, both, none, fingerOfOtherSet) = (marks[0], marks[1], marks[2], marks[3], marks[4])
    }
  }

  private static let rows = [
    // finger, passcode, both, none; finger after the fingers changed
    Row("nothing", [], .and, "yes yes yes yes yes"),
    Row("any", .biometryAny, .and, "yes no yes no yes"),
    Row("set", .biometryCurrentSet, .and, "yes no yes no no"),
    Row("presence", .userPresence, .and, "yes yes yes no yes"),
    Row("passcode", .devicePasscode, .and, "no yes yes no no"),
    Row("any and passcode", [.biometryAny, .devicePasscode], .and, "no no yes no no"),
    Row("any or passcode", [.biometryAny, .devicePasscode], .or, "yes yes yes no yes"),
    Row("set and passcode", [.biometryCurrentSet, .devicePasscode], .and, "no no yes no no"),
    Row("set or passcode", [.biometryCurrentSet, .devicePasscode], .or, "yes yes yes no no"),
    Row("set and presence", [.biometryCurrentSet, .userPresence], .and, "yes no yes no no"),
    Row("set or any", [.biometryCurrentSet, .biometryAny], .or, "yes no yes no yes"),
  ]

  /// An item of the table: its row, and when it may be read at all.
  private struct Case: CustomStringConvertible {
    let row: Row
    let accessibility: Accessibility
    var name: ItemName { ItemName(service: row.name, account: "\(accessibility)") }
    var value: [UInt8] { Array("the value of \(self)".utf8) }
    var description: String { "\(row.name), \(accessibility)" }
  }

  private static let cases = rows.flatMap { row in Accessibility.allCases.map { Case(row: row, accessibility: $0) } }

  /// A vault with an item for each case, open, without a session; and a token to open one.
  private func stored(_ kind: VirtualReader.Kind = .device) throws -> (Scene, token: [UInt8]) {
    let scene = try Scene(kind)
    let token = try scene.loginByPasscode(until: "vault made")
    for one in Self.cases {
      let item = Item(one.name, accessControl: one.row.control, accessibility: one.accessibility)
      let request = VaultRequest.add(user: "", item, length: UInt32(one.value.count))
      let answer = try scene.ask(request, value: one.value)
      guard answer.end == .done else { throw TestKitError("\(one): \(answer)") }
    }
    return (scene, token)
  }

  private func read(_ one: Case, _ scene: Scene, _ proving: Proving) throws -> VaultAnswer {
    let answer = try scene.ask(.read(user: "", one.name), proving)
    // A value comes whole and with a `done`, or not at all.
    #expect(answer.value == (answer.end == .done ? one.value : nil), "\(one)")
    return answer
  }

  /// Reads each case; those that come out otherwise than expected are named.
  private func expect(
    _ cases: [Case] = Self.cases, by proving: Proving, in scene: Scene, _ location: SourceLocation = #_sourceLocation,
    opens: (Case) -> Bool, asking questions: (Case) -> [VaultAnswer.Question]? = { _ in nil }
  ) throws {
    for one in cases {
      let answer = try read(one, scene, proving)
      #expect((answer.end == .done) == opens(one), "\(one): \(answer)", sourceLocation: location)
      if let wanted = questions(one) { #expect(answer.questions == wanted, "\(one)", sourceLocation: location) }
    }
  }

  @Test func `an open vault without a session releases unasked only what may be read after the first unlock`() throws {
    let (scene, _) = try stored()
    let opensUnasked: (Case) -> Bool = { $0.row.none && $0.accessibility == .afterFirstUnlock }
    try expect(by: Proving(), in: scene, opens: opensUnasked) { opensUnasked($0) ? [] : nil }
    try expect(by: Proving(touch: scene.touch()), in: scene, opens: { $0.row.finger })
  }

  @Test func `with a session what nothing protects comes unasked, and the rest for its finger`() throws {
    let (scene, token) = try stored()
    try scene.openSession(token)
    try expect(by: Proving(), in: scene, opens: { $0.row.none }) { $0.row.none ? [] : nil }
    try expect(by: Proving(touch: scene.touch()), in: scene, opens: { $0.row.finger }) { one in
      one.row.none ? [] : one.row.finger ? [.finger] : nil
    }
  }

  @Test func `a passcode releases what a passcode may, and with a finger what both may`() throws {
    let (scene, token) = try stored()
    try scene.openSession(token)
    // A passcode costs scrypt: one class each.
    let cases = Self.cases.filter { $0.accessibility == .whenUnlocked }
    try expect(cases, by: Proving(passcode: RunningDaemon.passcode), in: scene, opens: { $0.row.passcode })
    let ofBoth = cases.filter { !$0.row.finger && !$0.row.passcode }
    #expect(ofBoth.map(\.row.name) == ["any and passcode", "set and passcode"])
    let both = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    try expect(ofBoth, by: both, in: scene, opens: { $0.row.both }) { _ in [.finger, .passcode(.vault)] }
  }

  @Test func `a wrong finger and a wrong passcode release nothing`() throws {
    let (scene, token) = try stored()
    try scene.openSession(token)
    let cases = Self.cases.filter { $0.accessibility == .whenUnlocked && !$0.row.none }
    let byFinger = cases.filter(\.row.finger)
    // One miss each; five of them lock, and the passcode is asked for instead.
    try expect(byFinger, by: Proving(touch: scene.touch("wrong")), in: scene, opens: { _ in false })
    #expect(scene.daemon.strikesOnDisk == 5)
    let byPasscode = cases.filter { $0.row.name == "passcode" || $0.row.name == "presence" }
    try expect(byPasscode, by: Proving(passcode: "wrong horse"), in: scene, opens: { _ in false })
  }

  enum Locked: String, CaseIterable { case fiveStrikes, signetLock, beforeFirstUnlock, lastSessionEnded }

  @Test(arguments: Locked.allCases)
  func `a vault whose key is not in memory releases nothing to a finger, whatever the item`(how: Locked) throws {
    let (scene, token) = try stored()
    try close(scene, token, how)
    let asked: [VaultAnswer.Question] = [.passcode(.vault)]
    try expect(by: Proving(), in: scene, opens: { _ in false }) { _ in asked }
    try expect(by: Proving(touch: scene.touch()), in: scene, opens: { _ in false }) { _ in asked }
    #expect(try scene.secretMappings() == 0)
  }

  @Test func `the passcode opens a vault that was locked, and then the item asks for what it asks for`() throws {
    let (scene, token) = try stored()
    let asked: [VaultAnswer.Question] = [.passcode(.vault)]
    let named = ["any", "passcode", "any and passcode"]
    let cases = Self.cases.filter { $0.accessibility == .afterFirstUnlock && named.contains($0.row.name) }
    for one in cases {
      try close(scene, token, .signetLock)
      let answer = try read(one, scene, Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
      #expect(answer.end == .done, "\(one): \(answer)")
      #expect(answer.questions == asked + (one.row.passcode ? [] : [.finger]), "\(one)")
      try close(scene, token, .signetLock)
      let byPasscode = try read(one, scene, Proving(passcode: RunningDaemon.passcode))
      #expect((byPasscode.end == .done) == one.row.passcode, "\(one): \(byPasscode)")
    }
  }

  private func close(_ scene: Scene, _ token: [UInt8], _ how: Locked) throws {
    switch how {
    case .fiveStrikes: try scene.strikeOut()
    case .signetLock: try scene.lock()
    case .beforeFirstUnlock: try scene.restart()
    case .lastSessionEnded:
      try scene.openSession(token)
      try scene.closeSession(token)
      try scene.daemon.awaitLog("the last session ended")
    }
  }

  @Test func `after a change of fingers what was for the old ones is gone, and is said to be, unasked`() throws {
    // The other virtual reader knows one finger at a time.
    let (scene, token) = try stored(.storage)
    try scene.openSession(token)
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    let lost = ["set", "set and passcode", "set and presence"]
    for finger in ["right", "left"] {
      try expect(by: Proving(touch: scene.touch(finger)), in: scene, opens: { $0.row.fingerOfOtherSet }) { one in
        lost.contains(one.row.name) || one.row.none ? [] : nil
      }
    }
    for one in Self.cases where lost.contains(one.row.name) {
      let answer = try read(one, scene, Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
      #expect(answer.end == .refused(.fingersChanged), "\(one)")
    }
    let either = try #require(Self.cases.first { $0.row.name == "set or passcode" })
    #expect(try read(either, scene, Proving(passcode: RunningDaemon.passcode)).end == .done)
    let listed = try scene.ask(.list(user: "")).items.filter { !$0.isOfCurrentSet }.map(\.item.name.service)
    #expect(Set(listed) == Set(Self.rows.filter { $0.control.constraints.contains(.biometryCurrentSet) }.map(\.name)))
  }

  // MARK: - while the reader waits

  enum Change: CaseIterable { case fingersDeleted, locked, itemDeleted, stricter, newValue, vaultReset }

  @Test(arguments: Change.allCases)
  func `what changes while the reader waits decides over what the finger releases`(change: Change) throws {
    let scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
    let item = Item(ItemName(service: "mail", account: ""), accessControl: AccessControl(.biometryCurrentSet))
    #expect(try scene.ask(.add(user: "", item, length: 3), value: Array("old".utf8)).end == .done)
    let proving = Proving(touch: {
      try make(change, item, scene)
      try scene.reader.scan("right")
    })
    let answer = try scene.ask(.read(user: "", item.name), proving)
    #expect(answer.value == (change == .newValue ? Array("new".utf8) : nil), "\(answer)")
    let expected: [Change: VaultAnswer.End] = [
      .fingersDeleted: .refused(.fingersChanged), .locked: .refused(.locked), .itemDeleted: .refused(.notFound),
      .stricter: .refused(.vaultUnavailable), .newValue: .done, .vaultReset: .refused(.notFound),
    ]
    #expect(answer.end == expected[change], "\(answer)")
  }

  private func make(_ change: Change, _ item: Item, _ scene: Scene) throws {
    var end = VaultAnswer.End.done
    switch change {
    case .locked: try scene.lock()
    case .itemDeleted: end = try scene.ask(.delete(user: "", item.name)).end
    case .vaultReset: end = try scene.ask(.reset(user: "")).end
    case .newValue: end = try scene.ask(.update(user: "", item, length: 3), value: Array("new".utf8)).end
    case .stricter:
      let control = AccessControl([.biometryCurrentSet, .devicePasscode], .and)
      let stricter = Item(item.name, accessControl: control)
      end = try scene.ask(.update(user: "", stricter, length: 3), value: Array("new".utf8)).end
    case .fingersDeleted:
      let client = try scene.daemon.connect()
      try client.send(.delete(user: "", nil))
      #expect(try client.nextAdministration() == .done)
    }
    #expect(end == .done)
  }
}
