#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// The user's login sessions that hold a token; of root's, everybody's.
public enum OpenSessions {
  /// Asks signetd, on a connection of its own.
  public static func list(path: String) throws(ContextError) -> [SessionRow] {
    do throws(ClientError) {
      let socket = unsafe path.withCString { unsafe SocketPath($0) }
      var request = try unsafe socket.withCString { (path) throws(ClientError) in try unsafe ask(path) }
      return try rows(&request)
    } catch { throw .client(error) }
  }

  private static func ask(_ path: UnsafePointer<CChar>) throws(ClientError) -> PendingRequest {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .closed(0) }
    do throws(FormatError) { try packet.begin(RequestKind.sessions.rawValue) } catch { throw .malformed }
    return try unsafe PendingRequest(packet, to: path, Exchange.Terms(silence: ContextConnection.silence))
  }

  private static func rows(_ request: inout PendingRequest) throws(ClientError) -> [SessionRow] {
    var rows: [SessionRow] = []
    var host = UnattendedHost()
    while true {
      let message = try request.next(&host)
      if message == .reply(.done) { return rows }
      guard message == .reply(.row), let row = SessionRow(packet: request.packet.span) else { throw .malformed }
      rows.append(row)
    }
  }
}
