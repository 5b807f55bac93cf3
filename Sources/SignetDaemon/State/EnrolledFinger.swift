import SignetMemory
import SignetWire

/// An enrolled finger: its template, and the reader that can use it.
struct EnrolledFinger: Equatable, Sendable {
  var finger: Finger
  /// Who enrolled it, by name: a uid that was given to somebody else does not bring its fingers along.
  var owner: String
  /// `ReaderDescription.identifier`.
  var reader: String
  /// Whether that reader is swiped; kept here so that a prompt need not wait for the reader.
  var isSwipe: Bool
  /// Seconds since 1970.
  var enrolled: UInt64
  var template: [UInt8]

  /// The longest file: a template, its fields and the digest.
  static let fileLimit = WireLimit.template + 1024

  func encoded(uid: UInt32) throws(WireError) -> [UInt8] {
    try Record.encode(.template, uid: uid, limit: EnrolledFinger.fileLimit) { packet throws(WireError) in
      try packet.put(finger.rawValue)
      try packet.put(text: owner, limit: WireLimit.user)
      try packet.put(isSwipe ? 1 : 0)
      try packet.put(enrolled, size: 8)
      try packet.put(text: reader, limit: WireLimit.name)
      try packet.put(UInt64(template.count), size: 4)
      try packet.put(raw: template.span)
    }
  }

  init(finger: Finger, owner: String, reader: String, isSwipe: Bool, enrolled: UInt64, template: [UInt8]) {
    self.finger = finger
    self.owner = owner
    self.reader = reader
    self.isSwipe = isSwipe
    self.enrolled = enrolled
    self.template = template
  }

  init(decoding bytes: [UInt8], uid: UInt32) throws(WireError) {
    self = try Record.decode(.template, uid: uid, bytes) { reader throws(WireError) in
      guard let finger = Finger(rawValue: try reader.byte()) else { throw .badValue }
      let owner = try reader.text(limit: WireLimit.user)
      let isSwipe = try reader.flag()
      let enrolled = try reader.uint64()
      let name = try reader.text(limit: WireLimit.name)
      let count = try reader.uint32()
      guard count >= 1, count <= WireLimit.template else { throw .tooLong }
      let template = Array(copying: try reader.bytes(Int(count)))
      return EnrolledFinger(
        finger: finger, owner: owner, reader: name, isSwipe: isSwipe, enrolled: enrolled, template: template)
    }
  }
}
