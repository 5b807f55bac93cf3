import CLinux
import CPowerCut
import Foundation
import Glibc
import SignetTestKit
import Synchronization

/// A disk that remembers: one file, served over /dev/fuse, that keeps each write and each flush in the order in which the
/// loop device above it sent them. A loop device turns every flush barrier of its file system into an fsync of its file.
///
/// A write of several blocks is kept as one entry a block, since a disk may lose any of them.
///
/// The mount is a file, not a folder, so that there is nothing to look up and a dozen kinds of request are all there are.
final class RecordedDisk: Sendable {
  enum Entry: Sendable {
    case write(Write)
    /// Everything before it is on the medium.
    case flush
  }

  struct Write: Sendable {
    var offset: Int
    var bytes: [UInt8]
    /// From the first sector that it changed to the last.
    var changed: Range<Int>
  }

  static let sector = 512

  static let block = 4096

  private struct Contents {
    var image: [UInt8]
    var entries: [Entry] = []
  }

  /// The file, for a loop device.
  let path: String
  /// What was on it at first.
  let base: [UInt8]
  private let contents: Mutex<Contents>
  private let channel: Int32

  /// Mounts it over the file at `path`; needs root.
  init(_ base: [UInt8], at path: String) throws {
    self.path = path
    self.base = base
    contents = Mutex(Contents(image: base))
    channel = clinux_open("/dev/fuse", O_RDWR | O_CLOEXEC, 0)
    guard channel >= 0 else { throw TestKitError("/dev/fuse: \(clinux_errno())") }
    close(clinux_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let options = "fd=\(channel),rootmode=100600,user_id=0,group_id=0"
    guard powercut_mount("signet", path, "fuse", options, 0) == 0 else {
      throw TestKitError("mounting \(path): \(clinux_errno())")
    }
    Thread.detachNewThread { self.serve() }
  }

  /// What has been written and flushed so far.
  var entries: [Entry] { contents.withLock { $0.entries } }
  var count: Int { contents.withLock { $0.entries.count } }

  /// Answers the kernel until the file is unmounted.
  private func serve() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
    defer {
      buffer.deallocate()
      close(channel)
    }
    while true {
      let count = Glibc.read(channel, buffer.baseAddress, buffer.count)
      if count < 0, [EINTR, ENOENT, EAGAIN].contains(clinux_errno()) { continue }
      guard count >= MemoryLayout<fuse_in_header>.size else { return }
      let header = buffer.load(as: fuse_in_header.self)
      answer(header, UnsafeRawBufferPointer(rebasing: buffer[MemoryLayout<fuse_in_header>.size..<count]))
    }
  }

  private func answer(_ header: fuse_in_header, _ body: UnsafeRawBufferPointer) {
    switch fuse_opcode(header.opcode) {
    case FUSE_INIT: reply(to: header, raw(start()))
    case FUSE_GETATTR: reply(to: header, raw(attributes()))
    // Nothing is cached, so that what the loop device sends arrives here at once and in order. Closing asks nothing: a test
    // that is killed closes its files when nobody answers any more, and would wait for ever.
    case FUSE_OPEN:
      let flags = UInt32(FOPEN_DIRECT_IO | FOPEN_NOFLUSH)
      reply(to: header, raw(fuse_open_out(fh: 0, open_flags: flags, padding: 0)))
    case FUSE_READ: reply(to: header, read(body.load(as: fuse_read_in.self)))
    case FUSE_WRITE:
      let request = body.load(as: fuse_write_in.self)
      write(Array(body[MemoryLayout<fuse_write_in>.size...]), at: Int(request.offset))
      reply(to: header, raw(fuse_write_out(size: request.size, padding: 0)))
    case FUSE_FSYNC:
      contents.withLock { $0.entries.append(.flush) }
      reply(to: header)
    case FUSE_FLUSH, FUSE_RELEASE: reply(to: header)
    case FUSE_FORGET, FUSE_BATCH_FORGET: break
    default: reply(to: header, error: ENOSYS)
    }
  }

  private func read(_ request: fuse_read_in) -> [UInt8] {
    contents.withLock { Array($0.image.dropFirst(Int(request.offset)).prefix(Int(request.size))) }
  }

  private func write(_ bytes: [UInt8], at offset: Int) {
    contents.withLock { contents in
      for start in stride(from: 0, to: bytes.count, by: RecordedDisk.block) {
        let piece = Array(bytes[start...].prefix(RecordedDisk.block))
        let place = offset + start..<offset + start + piece.count
        let changed = changedSectors(from: contents.image[place], to: piece)
        contents.image.replaceSubrange(place, with: piece)
        contents.entries.append(.write(Write(offset: place.lowerBound, bytes: piece, changed: changed)))
      }
    }
  }

  private func changedSectors(from old: ArraySlice<UInt8>, to new: [UInt8]) -> Range<Int> {
    let sectors = (0..<new.count / RecordedDisk.sector).filter { number in
      let start = number * RecordedDisk.sector
      return !old.dropFirst(start).prefix(RecordedDisk.sector).elementsEqual(new[start..<start + RecordedDisk.sector])
    }
    guard let first = sectors.first, let last = sectors.last else { return 0..<0 }
    return first..<last + 1
  }

  private func start() -> fuse_init_out {
    var answer = fuse_init_out()
    answer.major = UInt32(FUSE_KERNEL_VERSION)
    answer.minor = UInt32(FUSE_KERNEL_MINOR_VERSION)
    answer.flags = UInt32(FUSE_BIG_WRITES)
    answer.max_write = 1 << 17
    return answer
  }

  private func attributes() -> fuse_attr_out {
    var answer = fuse_attr_out()
    answer.attr_valid = 3600
    answer.attr.ino = 1
    answer.attr.size = UInt64(base.count)
    answer.attr.mode = S_IFREG | 0o600
    answer.attr.nlink = 1
    answer.attr.blksize = UInt32(RecordedDisk.block)
    return answer
  }

  private func reply(to header: fuse_in_header, _ body: [UInt8] = [], error: Int32 = 0) {
    let length = MemoryLayout<fuse_out_header>.size + body.count
    let packet = raw(fuse_out_header(len: UInt32(length), error: -error, unique: header.unique)) + body
    // A request that was given up meanwhile refuses its answer; nobody waits for it.
    _ = Glibc.write(channel, packet, packet.count)
  }

  private func raw<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}
