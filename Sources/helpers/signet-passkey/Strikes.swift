/// What signetd counts of the owner's fingers.
enum Strikes {
  /// How long signetd may say nothing, in milliseconds.
  private static let silence: Int32 = 3_000

  /// How often the owner may still miss. At least 1: where the fingerprints are locked the passcode remains, and a platform that is told 0
  /// does not ask any more.
  static func left(at socket: String) throws(Status) -> Int {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .other }
    do throws(FormatError) { try AdministrationRequest.status(user: "").write(into: &packet) } catch { throw .other }
    do throws(ClientError) {
      var request = try PendingRequest(packet, to: socket, Exchange.Terms(silence: silence))
      var host = UnattendedHost()
      guard try request.next(&host) == .reply(.row) else { throw .malformed }
      return try left(request.packet.span)
    } catch { throw .other }
  }

  private static func left(_ row: Span<UInt8>) throws(ClientError) -> Int {
    do throws(FormatError) {
      guard case .status(let status) = try AdministrationReply(parsing: row) else { throw FormatError.badValue }
      return max(1, Int(status.limit) - Int(status.strikes))
    } catch { throw .malformed }
  }
}
