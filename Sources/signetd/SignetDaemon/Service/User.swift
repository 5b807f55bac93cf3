import CLinux
import Glibc
import SignetBytes
import SignetFiles

/// A user of the system, from the name service (getpwnam_r(3)).
package struct User: Hashable, Sendable {
  package let uid: UInt32
  /// The name as the name service spells it.
  package let name: String

  /// A user whom signetd knows already, from its own records.
  package init(uid: UInt32, name: String) {
    self.uid = uid
    self.name = name
  }

  /// `nil` where there is no such user, or the name could not be one.
  package init?(named name: Span<UInt8>) {
    let bytes = Array(copying: name)
    // A directory's users may have blanks in their names. One at an end is none of the name's: what looks the same is the same.
    guard let first = bytes.first, first != 0x20, bytes.last != 0x20,
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    unsafe self.init { entry, buffer, size, result in unsafe getpwnam_r(text, entry, buffer, size, result) }
  }

  package init?(uid: UInt32) {
    unsafe self.init { entry, buffer, size, result in unsafe getpwuid_r(uid, entry, buffer, size, result) }
  }

  private init?(
    _ look: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) {
    // 16 KiB holds any sane entry; a larger one is answered ERANGE and is no user of ours.
    let size = 16 * 1024
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { unsafe buffer.deallocate() }
    var entry = unsafe passwd()
    var result: UnsafeMutablePointer<passwd>?
    guard unsafe look(&entry, buffer, size, &result) == 0, unsafe result != nil, let name = unsafe entry.pw_name else {
      return nil
    }
    uid = unsafe entry.pw_uid
    unsafe self.name = String(cString: name)
  }
}

/// The process at the other end of a connection, as the kernel knows it (unix(7), `SO_PEERCRED`).
package struct Peer: Equatable, Sendable {
  package let pid: Int32
  package let uid: UInt32
  package let gid: UInt32

  package init(pid: Int32, uid: UInt32, gid: UInt32 = .max) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  package init?(of socket: Int32) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    guard unsafe clinux_peer(socket, &pid, &uid, &gid) == 0 else { return nil }
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  package var isRoot: Bool { uid == 0 }

  /// Anyone may act as themselves, root as anyone.
  package func mayActAs(_ uid: UInt32) -> Bool { isRoot || self.uid == uid }
}

/// A process that is held by a descriptor (pidfd_open(2)), so that no other can be taken for it.
package final class HeldProcess: Sendable {
  private let descriptor: Descriptor

  /// The one at the other end of a connection; `nil` where the kernel does not hand it out, as before Linux 6.5.
  package init?(ofPeerOf socket: Int32) {
    let descriptor = Descriptor(clinux_peer_process(socket))
    guard descriptor.raw >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// The one that has this number now; `nil` where there is none.
  package init?(of pid: Int32) {
    let descriptor = Descriptor(clinux_process(pid))
    guard descriptor.raw >= 0 else { return nil }
    self.descriptor = descriptor
  }

  package var hasEnded: Bool {
    var watched = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, 0) != 0
  }
}
