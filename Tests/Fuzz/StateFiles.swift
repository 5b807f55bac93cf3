import Glibc
import SignetAuthentication
import SignetDigest
import SignetTokens
import SignetWire

@testable import SignetDaemon

extension FuzzTarget {
  /// State files: strikes, a template, a session. The first byte says which; what follows is the file, or, where the first
  /// byte is even, all of it but its digest, which no mutation would ever get right.
  ///
  /// What is believed is written back bit for bit, and is bound to its purpose and its user.
  static let state = FuzzTarget(
    name: "state", longest: 512, seeds: { stateSeeds },
    run: { bytes in
      guard bytes.count > 0 else { return }
      let isWhole = bytes[0] & 1 == 1
      var file = Array(copying: bytes.extracting(droppingFirst: 1))
      if !isWhole { file += SHA256.hash(file.span) }
      switch (bytes[0] >> 1) % 3 {
      case 0: readStrikes(file)
      case 1: readTemplate(file)
      default: readSession(file)
      }
    })
}

private let uid: UInt32 = 1000

private let finger = EnrolledFinger(
  finger: .rightIndexFinger, reader: "virtual_image:0", isSwipe: true, enrolled: 1_800_000_000, template: [0x46, 0x50, 0x33])

private let session = Session(
  identifier: "0123abcd", digest: [UInt8](0..<32), uid: uid, user: "alice", service: "login", terminal: "tty1",
  method: .fingerprint, since: 1_800_000_000, key: 77)

private var stateSeeds: [[UInt8]] {
  let files = [readFile(scratch.strikes), try! finger.encoded(uid: uid), try! session.encoded()]
  return files.enumerated().flatMap { index, file in
    let kind = UInt8(index) << 1
    return [[kind | 1] + file, [kind] + file.dropLast(SHA256.length)]
  }
}

/// A state directory with the strikes of one user, which are read from a file only.
private let scratch = Scratch()

private struct Scratch {
  let store: SharedStore
  let strikes: String

  init() {
    let folder = makeScratchFolder()
    strikes = "\(folder)/users/\(uid)/strikes"
    store = SharedStore(try! AccountStore(path: folder))
    try! store.value.write(strikes: 3, of: uid)
  }
}

private func readStrikes(_ file: [UInt8]) {
  writeFile(scratch.strikes, file)
  guard case .strikes(let strikes) = scratch.store.value.strikes(of: uid) else { return }
  try! scratch.store.value.write(strikes: strikes, of: uid)
  requireFile(readFile(scratch.strikes), file, "\(strikes) strikes")
}

private func readTemplate(_ file: [UInt8]) {
  guard let finger = try? EnrolledFinger(decoding: file, uid: uid) else { return }
  requireFile(try! finger.encoded(uid: uid), file, "\(finger)")
  require((try? EnrolledFinger(decoding: file, uid: uid + 1)) == nil, "a template of another user is believed")
}

private func readSession(_ file: [UInt8]) {
  guard let session = try? Session(decoding: file, identifier: "0123abcd") else { return }
  requireFile(try! session.encoded(), file, "\(session)")
}

private func requireFile(_ written: [UInt8], _ read: [UInt8], _ what: String) {
  require(written == read, "\(what) was read from \(hex(read.span)) and written as \(hex(written.span))")
}
