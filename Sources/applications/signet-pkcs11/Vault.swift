import CPKCS11

/// What is asked of signetd, on a connection of its own each time: what was proved for one signature is good for no other, and between
/// calls the program has no descriptor of the module's.
enum Vault {
  static func list() throws(Fault) -> [ItemRow] {
    try ask { connection throws(ContextError) in try connection.list() }
  }

  /// The public point of a key that is made. The passcode may be asked for.
  static func make(_ item: Item) throws(Fault) -> [UInt8] {
    var reason = TextLine()
    if !reason.say("make the key #", foreign: Array(item.name.service.utf8).span) { reason = TextLine() }
    var host = host(reason)
    defer { host.finish() }
    return try ask { connection throws(ContextError) in try connection.makeKey(item, &host) }
  }

  /// r and s. What the key demands is asked for.
  static func sign(_ digest: [UInt8], with key: Key) throws(Fault) -> [UInt8] {
    var reason = TextLine()
    if !reason.say("sign with the key #", foreign: key.label.span) { reason = TextLine() }
    var host = host(reason)
    defer { host.finish() }
    return try ask { connection throws(ContextError) in try connection.sign(digest, with: key.name, &host) }
  }

  static func delete(_ key: Key) throws(Fault) {
    var host = SilentHost()
    try ask { connection throws(ContextError) in try connection.delete(key.name, &host) }
  }

  /// Shows and asks on the terminal in whose foreground the program is, else on the desktop, in the name of the program.
  private static func host(_ reason: borrowing TextLine) -> DefaultPrompter {
    let text = unsafe reason.withCString { unsafe String(cString: $0) }
    return DefaultPrompter(Prompting(application: program, reason: text))
  }

  private static var program: String { unsafe String(cString: cpkcs11_program()) }

  private static func ask<Answer>(
    _ body: (inout ContextConnection) throws(ContextError) -> Answer
  ) throws(Fault) -> Answer {
    do throws(ContextError) {
      var connection = try ContextConnection(path: ProgramEnvironment.socket, name: program)
      return try body(&connection)
    } catch { throw Fault(error) }
  }
}
