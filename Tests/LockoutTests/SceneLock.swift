import Glibc
import SignetTestKit
import SignetWire

extension Scene {
  /// One miss, whose strike is on disk when it returns; what signetd said of it.
  @discardableResult
  func miss() throws -> LoginClient.Reply {
    let client = try armed()
    try reader.scan("wrong")
    let reply = try client.next()
    try client.cancel()
    _ = try client.verdict()
    return reply
  }

  /// A login whose reader waits for a finger. The last one may hold the reader for a moment after its host has gone.
  func armed() throws -> LoginClient {
    for _ in 1...1_000 {
      let client = try daemon.connect()
      // signetd waits two seconds for a request, which a busy machine may be late with.
      guard (try? client.authenticate(daemon.user)) != nil else { continue }
      switch try client.next() {
      case .show(.touchReader, _, _): return client
      case .show(.readerBusy, _, _): _ = poll(nil, 0, 5)
      case let other: throw TestKitError("expected an armed reader, got \(other)")
      }
    }
    throw TestKitError("the reader stays busy")
  }

  /// The same by the module, as this service.
  func armedHost(service: String, _ arguments: String...) throws -> LoginHost {
    for _ in 1...100 {
      let host = try LoginHost(daemon, service: service, answers: [""], arguments: arguments)
      let message = try host.nextMessage()
      if message?.isFirstPrompt == true { return host }
      guard message?.hasPrefix("The fingerprint reader is in use") == true else {
        throw TestKitError("no finger is asked for: \(message ?? "the host has ended")")
      }
    }
    throw TestKitError("the reader stays busy")
  }

  /// Five misses.
  func lock() throws {
    for _ in 1...5 { try miss() }
    guard daemon.strikesOnDisk == 5 else { throw TestKitError("\(daemon.strikesOnDisk ?? -1) strikes after five misses") }
  }

  /// So many wrong passcodes, of a user who is locked.
  func guessPasscodes(_ count: Int) throws {
    for number in 1...count {
      let client = try daemon.connect()
      try client.authenticate(daemon.user)
      guard case .askPasscode = try client.afterShowing() else { throw TestKitError("passcode \(number) is not asked for") }
      try client.answer(passcode: "wrong \(number)")
      guard try client.afterShowing().verdict == .authenticationFailed else { throw TestKitError("passcode \(number)") }
    }
  }

  func status() throws -> StatusRow {
    let client = try daemon.connect()
    try client.send(.status(user: ""))
    guard case .status(let row) = try client.nextAdministration() else { throw TestKitError("no status") }
    return row
  }

  /// The first reply to a login, before any finger or passcode.
  func nextLogin() throws -> LoginClient.Reply {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    while true {
      let reply = try client.next()
      if case .show(let prompt, _, _) = reply, prompt != .touchReader { continue }
      return reply
    }
  }
}
