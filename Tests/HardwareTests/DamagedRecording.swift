import Foundation
import SignetTestKit

/// A copy of a recording that a fault in the cable, or an attacker on it, has changed. The same seed is the same damage.
struct DamagedRecording {
  enum Damage: CaseIterable, Sendable {
    /// Bytes that the reader sends have other values: lengths, counts, checksums and pixels.
    case otherBytes
    /// The reader sends nothing any more from some moment on.
    case silence
  }

  private var random: SeededGenerator
  private let damage: Damage

  init(_ damage: Damage, seed: UInt64) {
    self.damage = damage
    random = SeededGenerator(seed: seed)
  }

  /// Writes it to this folder.
  mutating func write(_ recording: Recording, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: recording.folder) {
      var bytes = try RawFile.read("\(recording.folder)/\(name)")
      if name.hasSuffix(".pcapng") { damageCapture(&bytes) }
      if name.hasSuffix(".ioctl") { damageDump(&bytes) }
      try RawFile.create("\(folder)/\(name)", bytes)
    }
  }

  /// Changes up to 16 of these places, fewer where there are few.
  private mutating func change(_ places: [Range<Int>], _ body: (Int) -> Void) {
    let all = places.flatMap { $0 }
    guard !all.isEmpty else { return }
    for _ in 0..<min(16, all.count / 256 + 2) { body(all[Int(random.next() % UInt64(all.count))]) }
  }

  // MARK: A USB capture, pcapng with the header of Linux' usbmon

  private mutating func damageCapture(_ bytes: inout [UInt8]) {
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
    var sent: [Range<Int>] = []
    var starts: [Int] = []
    var block = 0
    while block + 12 <= bytes.count {
      let (kind, length) = (number(block), number(block + 4))
      guard length >= 12, block + length <= bytes.count else { break }
      // An enhanced packet: the transfer's header at 28, with `C` for one that is complete and the endpoint's direction.
      if kind == 6, length > 28 + 64 + 4 {
        let (header, captured) = (block + 28, number(block + 20))
        if bytes[header + 8] == UInt8(ascii: "C"), bytes[header + 10] & 0x80 != 0, captured > 64 {
          sent.append(header + 64..<header + captured)
          starts.append(block)
        }
      }
      block += length
    }
    switch damage {
    case .otherBytes:
      var changed = bytes
      var random = self.random
      change(sent) { changed[$0] ^= UInt8(truncatingIfNeeded: random.next() % 255 + 1) }
      bytes = changed
    case .silence:
      guard !starts.isEmpty else { return }
      bytes.removeSubrange(starts[Int(random.next() % UInt64(starts.count))]...)
    }
  }

  // MARK: A dump of ioctls, a line each with the bytes at its end

  private mutating func damageDump(_ bytes: inout [UInt8]) {
    var sent: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      let words = line.split(separator: " ")
      // The fourth number is the endpoint; above 127 it is one that the reader sends on.
      if words.count > 5, words[0] == "USBDEVFS_REAPURB", let endpoint = Int(words[3]), endpoint > 127,
        let data = words.last, data.count >= 16
      {
        sent.append(end - data.utf8.count..<end)
      }
      start = end + 1
    }
    switch damage {
    case .otherBytes:
      var changed = bytes
      var random = self.random
      change(sent) { changed[$0] = Array("0123456789ABCDEF".utf8)[Int(random.next() % 16)] }
      bytes = changed
    case .silence:
      guard !sent.isEmpty else { return }
      let cut = sent[Int(random.next() % UInt64(sent.count))].lowerBound
      let line = bytes[..<cut].lastIndex(of: 10) ?? 0
      bytes.removeSubrange((line + 1)...)
    }
  }
}
