import CLinux
import DaemonService
import Glibc
import SignetAuthentication
import SignetFiles
import SignetVocabulary

/// Somebody who has connected, while it is decided whether there is a place for them: the socket, and who is behind it.
package struct Arrival: ~Copyable {
  package let peer: Peer
  /// Who is behind the peer. Read at once, because the peer may end at any time, and nobody knows then.
  package let origin: RequestOrigin
  let connected: Int64
  /// The peer's process, where the kernel hands it out.
  let process: HeldProcess?
  private let socket: Descriptor

  package init(_ socket: consuming Descriptor, from peer: Peer) {
    self.peer = peer
    connected = bootMilliseconds()
    process = HeldProcess(ofPeerOf: socket.raw)
    origin = RequestOrigin(behind: peer, connected: connected, process: process)
    self.socket = socket
  }

  consuming func accepted() -> Descriptor { socket }

  /// Tells the client that there is no place for it, and closes. Waits for nothing.
  package consuming func turnAway(_ crowd: Crowd) { Arrival.turnAway(socket, crowd) }

  /// The same for a connection of which nothing more is to be known: in a flood this is what most of the time goes into.
  package static func turnAway(_ socket: consuming Descriptor, _ crowd: Crowd) {
    Channel.stopReading(from: socket.raw)
    // A client that does not read finds the connection closed.
    Channel.offer(ConstantPacket.busy(crowd), on: socket.raw)
  }
}
