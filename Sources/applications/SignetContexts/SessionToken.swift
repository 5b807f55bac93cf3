import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// The token of this login session, in the kernel's session keyring (session-keyring(7)), where pam_signet puts it.
public enum SessionToken {
  /// Why there is none to be had.
  public enum Failure: Error, Equatable, Sendable {
    /// What the kernel says: `ENOKEY`, `EKEYEXPIRED`, `EKEYREVOKED` and others.
    case unreadable(Int32)
    /// The key of this name is none of Signet's.
    case foreign
  }

  /// Puts the token's hexadecimal digits, `FieldLimit.token` times two, into the buffer, which must hold more than these.
  ///
  /// Where the keyring has none, signetd is asked: what a user's service manager starts, as a desktop's terminals and applications, is
  /// in the manager's keyring, and gets the token of the user's session at the seat.
  public static func read(
    into token: inout SecretBytes, from socket: String = ProgramEnvironment.socket
  ) throws(Failure) {
    let key = search()
    guard key >= 0 else {
      let cause = clinux_errno()
      guard cause == ENOKEY, ask(socket, &token) else { throw .unreadable(cause) }
      return
    }
    let length = unsafe token.replace { buffer in
      clinux_keyctl(KEYCTL_READ, UInt(bitPattern: key), UInt(bitPattern: buffer.baseAddress), UInt(bitPattern: buffer.count), 0)
    }
    guard length >= 0 else { throw .unreadable(clinux_errno()) }
    guard length == FieldLimit.token &* 2, isHexadecimal(token.span) else {
      token.removeAll()
      throw .foreign
    }
  }

  private static func search() -> Int {
    let ring = UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING))
    return unsafe "user".withCString { type in
      unsafe "signet:token".withCString { name in
        clinux_keyctl(KEYCTL_SEARCH, ring, UInt(bitPattern: type), UInt(bitPattern: name), 0)
      }
    }
  }

  private static func ask(_ socket: String, _ token: inout SecretBytes) -> Bool {
    do throws(ClientError) {
      let path = unsafe socket.withCString { unsafe SocketPath($0) }
      var request = try unsafe path.withCString { (path) throws(ClientError) in try unsafe begin(path) }
      var host = UnattendedHost()
      guard try request.next(&host) == .reply(.value) else { return false }
      do throws(FormatError) {
        let value = try ValueReply(parsing: request.packet.span)
        guard value.part.count == FieldLimit.token &* 2, isHexadecimal(value.part) else { return false }
        token.removeAll()
        return token.append(value.part)
      } catch { return false }
    } catch { return false }
  }

  private static func begin(_ path: UnsafePointer<CChar>) throws(ClientError) -> PendingRequest {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .closed(0) }
    do throws(FormatError) { try packet.begin(RequestKind.sessionToken.rawValue) } catch { throw .malformed }
    return try unsafe PendingRequest(packet, to: path, Exchange.Terms(silence: ContextConnection.silence))
  }

  private static func isHexadecimal(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): continue
      default: return false
      }
    }
    return true
  }
}
