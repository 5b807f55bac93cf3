import SignetWire

extension Dialogue {
  /// Makes a request that is answered by `done` alone, whatever has to be proved before.
  static func follow(_ request: VaultRequest, at socket: String) throws(CommandFailure) {
    var exchange = try Exchange(socket: socket)
    try exchange.send(request)
    var dialogue = Dialogue()
    try dialogue.follow(&exchange)
  }

  /// Stores a secret; the request tells its length.
  static func store(
    _ request: VaultRequest, _ secret: consuming SecretInput, at socket: String
  ) throws(CommandFailure) {
    var exchange = try Exchange(socket: socket)
    try exchange.send(request)
    var dialogue = Dialogue()
    guard try dialogue.next(&exchange) == .askValue else { throw .unexpectedReply }
    try exchange.send(value: secret)
    try dialogue.follow(&exchange)
  }
}
