import SignetTestKit
import SignetWire

extension Scene {
  /// One miss, whose strike is on disk when it returns; what signetd said of it.
  @discardableResult
  func miss() throws -> LoginClient.Reply {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    try reader.scan("wrong")
    let reply = try client.next()
    try client.cancel()
    _ = try client.verdict()
    return reply
  }

  /// Five misses.
  func lock() throws {
    for _ in 1...5 { try miss() }
    guard daemon.strikesOnDisk == 5 else { throw TestKitError("\(daemon.strikesOnDisk ?? -1) strikes after five misses") }
  }

  /// What a login comes to before any finger or passcode.
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
