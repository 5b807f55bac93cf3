import SignetWire

extension Dialogue {
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
