import Glibc
import SignetVocabulary
import Synchronization

/// A connection's place among all that are served, and how another thread ends the connection to make room.
package final class Place: Sendable {
  /// Unlike that of any other.
  package let number: UInt64
  /// Whether only requests that give control back to their user are served here.
  package let isForControl: Bool
  /// Whose crowd the client is told of where it has to go.
  package let crowd: Crowd

  private let isWanted = Atomic<Bool>(false)
  private let isTyping = Atomic<Bool>(false)
  /// The connection's socket, as long as it is open.
  private let socket = Mutex<Int32?>(nil)

  package init(number: UInt64, crowd: Crowd, isForControl: Bool = false) {
    self.number = number
    self.crowd = crowd
    self.isForControl = isForControl
  }

  /// Whether others need it: the connection ends.
  package var isDisplaced: Bool { isWanted.load(ordering: .acquiring) }

  /// Whether its user is being asked to type something, which may take them as long as they like.
  package var waitsForTyping: Bool {
    get { isTyping.load(ordering: .relaxed) }
    set { isTyping.store(newValue, ordering: .relaxed) }
  }

  /// Ends the connection, at once where it only waits. The client can still be told.
  package func displace() {
    isWanted.store(true, ordering: .releasing)
    socket.withLock { if let socket = $0 { _ = shutdown(socket, Int32(SHUT_RD)) } }
  }

  func begin(on socket: Int32) { self.socket.withLock { $0 = socket } }

  func end() { socket.withLock { $0 = nil } }
}
