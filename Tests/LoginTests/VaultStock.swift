import Glibc
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire

/// The items in the vaults of these tests.
enum Stock: CaseIterable {
  /// Needs no proof while the vault is open.
  case unasked
  /// For the fingers that were enrolled when it was stored.
  case finger
  /// For the passcode.
  case passcode

  var name: ItemName { ItemName(service: "stock-\(self)", account: "account-\(self)") }
  var value: [UInt8] { Array("the value of \(self)".utf8) }

  var item: Item {
    let constraints: AccessControl.Constraints =
      switch self {
      case .unasked: []
      case .finger: .biometryCurrentSet
      case .passcode: .devicePasscode
      }
    return Item(name, accessControl: AccessControl(constraints), accessibility: .afterFirstUnlock)
  }
}

extension Scene {
  /// A user with a finger and an open vault with all of the stock.
  static func stocked(launcher: [String] = [], configuration: String = "") throws -> Scene {
    let scene = try Scene(launcher: launcher, configuration: configuration)
    try scene.loginByPasscode(until: "vault made")
    for one in Stock.allCases {
      let answer = try scene.store(one.item, one.value)
      guard answer.end == .done else { throw TestKitError("\(one): \(answer)") }
    }
    return scene
  }

  @discardableResult
  func store(_ item: Item, _ value: [UInt8], replaces: Bool = false) throws -> VaultAnswer {
    let length = UInt32(value.count)
    return try ask(
      replaces ? .update(user: "", item, length: length) : .add(user: "", item, length: length), value: value,
      Proving(passcode: RunningDaemon.passcode))
  }

  func read(_ one: Stock, _ proving: Proving = Proving()) throws -> VaultAnswer {
    try ask(.read(user: "", one.name), proving)
  }

  /// A request that was sent, and not yet answered.
  func begin(_ request: VaultRequest) throws -> LoginClient {
    let client = try daemon.connect()
    try client.send { packet in try request.write(into: &packet) }
    return client
  }

  /// The rows of `signet status`.
  func status(of user: String = "") throws -> (account: StatusRow, vault: VaultRow) {
    let client = try daemon.connect()
    try client.send(.status(user: user))
    guard case .status(let account) = try client.nextAdministration(), case .vault(let vault) = try client.nextAdministration()
    else { throw TestKitError("no status") }
    return (account, vault)
  }

  func lockNow() throws {
    let client = try daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }

  func setPasscode(_ passcode: String) throws {
    try daemon.write("passcodes", "\(daemon.user):\(passcode):signet-passcode\n")
  }

  /// Waits until signetd computes scrypt: nothing else of it has 128 MiB in one piece.
  func awaitScrypt() throws {
    try wait(for: "signetd to compute scrypt") { try isComputingScrypt() }
  }

  func isComputingScrypt() throws -> Bool {
    try RawFile.text("/proc/\(daemon.pid)/maps").split(separator: "\n").contains { line in
      // `7f0000000000-7f0004000000 rw-p 00000000 00:00 0`; the sanitizer's own are terabytes.
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      return ends.count == 2 && words[1] == "rw-p" && words[4] == "0" && 128 << 20..<256 << 20 ~= ends[1] - ends[0]
    }
  }
}

extension LoginClient {
  /// The next reply that is no message to the user.
  func nextQuestion() throws -> AdministrationReply {
    while true {
      let reply = try nextAdministration()
      if case .show = reply { continue }
      return reply
    }
  }

  func sendPasscodeChanged(_ user: String, from old: String, to new: String) throws {
    let (user, old, new) = (Array(user.utf8), Array(old.utf8), Array(new.utf8))
    try send { packet in
      try PasscodeChangedRequest(user: user.span, old: old.span, new: new.span).write(into: &packet)
    }
  }

  func send(part: [UInt8]) throws {
    try send { packet in try ValueRequest(part: part.span).write(into: &packet) }
  }

  /// Expects that signetd closes the connection without another word.
  func isClosedInSilence(within limit: Int32 = 5_000) -> Bool { (try? next(within: limit)) == .closed }

  /// Passes over heartbeats, up to a value of one part.
  func awaitValue() throws -> [UInt8] {
    while true {
      let value: [UInt8]? = try receive { packet in
        var fields = ByteReader(packet.span)
        let kind = try fields.header()
        if kind == ReplyKind.heartbeat.rawValue { return nil }
        let reply = try ValueReply(parsing: packet.span)
        return (0..<reply.part.count).map { reply.part[$0] }
      }
      if let value { return value }
    }
  }
}
