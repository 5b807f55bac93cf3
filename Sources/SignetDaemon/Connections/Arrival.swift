import CLinux
import DaemonService
import SignetAuthentication
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

/// Somebody who has connected, while it is decided whether there is a place for them: the socket, and who is behind it.
package struct Arrival: ~Copyable {
  package let peer: Peer
  /// Who is behind the peer. Read at once, because the peer may end at any time, and nobody knows then.
  package let asker: Asker
  let connected: Int64
  private let socket: Descriptor

  /// `nil` where the kernel does not say who the peer is.
  package init?(_ socket: consuming Descriptor) {
    guard let peer = Peer(of: socket.raw) else { return nil }
    self.peer = peer
    connected = bootMilliseconds()
    asker = Asker(behind: peer, connected: connected, process: HeldProcess(ofPeerOf: socket.raw))
    self.socket = socket
  }

  consuming func accepted() -> Descriptor { socket }

  /// Tells the client that there is no place for it, and closes. Waits for nothing.
  package consuming func turnAway(_ crowd: Crowd) {
    Channel.stopReading(from: socket.raw)
    // Without memory the client finds the connection closed.
    guard var packet = SecretBytes(capacity: 8), (try? LoginReply.busy(crowd).write(into: &packet)) != nil else { return }
    try? Channel.send(packet, on: socket.raw)
  }
}
