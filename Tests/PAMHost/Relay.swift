import CLinux
import Glibc
import SignetTestKit
import SignetWire

/// `pam-host relay PATH`, in the place of signet-reader: hands its channel to a test, which listens at PATH and plays the
/// reader. Ends with either side.
func relayToTest(at path: String) throws {
  let test = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard clinux_connect_unix(test, path) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  relay(0, test) { _ in }
}

/// `pam-host tap FILE PROGRAM [WORD ...]`, in the place of signet-reader: runs it, and writes down the kind of each of its
/// events, a byte each. What a reader decided is counted there, whatever signetd makes of it.
func tap(_ words: [String]) throws {
  let file = clinux_open(words[0], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  var ends: [Int32] = [-1, -1]
  let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
  guard file >= 0, socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestKitError("\(words[0]): \(clinux_errno())") }
  _ = try spawn(Array(words.dropFirst()), environment: [], standardInput: ends[1], standardError: .inherited)
  close(ends[1])
  relay(0, ends[0]) { packet in
    var kind = packet.count > 1 ? packet[1] : 0
    _ = write(file, &kind, 1)
  }
}

/// Carries packets both ways until one side ends; `watch` sees those that come from `other`.
private func relay(_ one: Int32, _ other: Int32, _ watch: (ArraySlice<UInt8>) -> Void) {
  var buffer = [UInt8](repeating: 0, count: PacketLimit.readerPacket)
  while true {
    var ready = [pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
    guard poll(&ready, 2, -1) > 0 else { continue }
    for (index, (from, to)) in [(one, other), (other, one)].enumerated() where ready[index].revents != 0 {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if index == 1 { watch(buffer[..<count]) }
      guard send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
    }
  }
}
