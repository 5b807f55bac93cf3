import CLinux
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire

/// How the user's vault stands at one moment.
public struct VaultStanding: Equatable, Sendable {
  /// Another number for each time that it was opened; 0 while it is closed, or the user locked.
  public var opening: UInt64
  /// Another number for each finger that logged in or unlocked the screen.
  public var unlock: UInt64
  /// Stands for the fingers that are enrolled.
  public var domainState: [UInt8]

  public init(opening: UInt64, unlock: UInt64, domainState: [UInt8]) {
    self.opening = opening
    self.unlock = unlock
    self.domainState = domainState
  }

  /// What the vault released at `other` is its owner's still.
  public func releasesAsMuch(as other: VaultStanding) -> Bool {
    opening != 0 && opening == other.opening && domainState == other.domainState
  }
}

extension VaultStanding {
  init?(_ packet: borrowing SecretBytes) {
    guard let row = try? OpeningRow(parsing: packet.span) else { return nil }
    self.init(opening: row.opening, unlock: row.unlock, domainState: Array(copying: row.domainState))
  }
}

/// Tells how the user's vault stands, at once and whenever that changes. signetd says so by itself. Use it from one thread at a time.
public struct VaultWatch: ~Copyable {
  private var packet: SecretBytes
  private let connection: Connection

  /// - Parameter path: signetd's socket.
  public init(path: String) throws(SessionTokenError) {
    let request = try VaultWatch.request()
    connection = try VaultWatch.connect(path, sending: request)
    packet = request
  }

  private static func request() throws(SessionTokenError) -> SecretBytes {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .unusable }
    do throws(FormatError) { try WatchVaultRequest().write(into: &packet) } catch { throw .unusable }
    return packet
  }

  private static func connect(
    _ path: String, sending request: borrowing SecretBytes
  ) throws(SessionTokenError) -> Connection {
    let socket = unsafe path.withCString { unsafe SocketPath($0) }
    do throws(ClientError) {
      let made = try unsafe socket.withCString { (path) throws(ClientError) in try unsafe Connection(path: path) }
      try made.send(request)
      return made
    } catch { throw .client(error) }
  }

  /// The next change; the present standing at first.
  ///
  /// - Throws: where signetd says nothing more.
  public mutating func next() throws(SessionTokenError) -> VaultStanding {
    do throws(ClientError) {
      repeat {
        var watched = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
      } while try !connection.receive(into: &packet)
    } catch { throw .client(error) }
    guard let standing = VaultStanding(packet) else { throw .client(.malformed) }
    return standing
  }
}
