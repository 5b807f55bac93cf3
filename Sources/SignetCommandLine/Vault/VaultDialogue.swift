import SignetWire

extension Dialogue {
  /// Makes a request that is answered by `done` alone, whatever has to be proved before.
  static func follow(_ request: VaultRequest, at socket: String) throws(CommandFailure) {
    var dialogue = try Dialogue(request, at: socket)
    try dialogue.follow()
  }

  /// Stores a secret; the request tells its length.
  static func store(
    _ request: VaultRequest, _ secret: consuming SecretInput, at socket: String
  ) throws(CommandFailure) {
    var dialogue = try Dialogue(request, at: socket)
    guard try dialogue.next() == .askValue else { throw .unexpectedReply }
    try dialogue.send(value: secret)
    try dialogue.follow()
  }
}
