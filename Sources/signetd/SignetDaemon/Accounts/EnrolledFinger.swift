import SignetBytes
import SignetSealing
import SignetVocabulary

/// An enrolled finger: its template, sealed, and the reader that can use it.
///
/// What is beside the template lies in clear, because a list, a prompt and the choice of a reader need it before anything is
/// opened. It decides nothing by itself: the template opens only beside the fields that it was sealed with.
package struct EnrolledFinger: Equatable, Sendable {
  /// Who enrolled it, by number and by name: a uid that was given to somebody else does not bring its fingers along.
  package var uid: UInt32
  package var owner: String
  package var finger: Finger
  /// `ReaderDescription.identifier`.
  package var reader: String
  /// Whether that reader is swiped; kept here so that a prompt need not wait for the reader.
  package var isSwipe: Bool
  /// Seconds since 1970.
  package var enrolled: UInt64
  /// The template under the device key; in clear it is nowhere but on its way to and from signet-reader.
  package var sealed: [UInt8] = []

  /// The longest file: a template, its seal and the fields.
  package static let fileLimit = FieldLimit.template + SealingKey.overhead + 1024

  /// What the template is sealed for: these fields, in the form that they have in the file.
  package var context: SealContext {
    get throws(FormatError) {
      SealContext("SGtp", version: Record.Purpose.template.version, uid: uid, name: try header)
    }
  }

  package func encoded() throws(FormatError) -> [UInt8] { try header + Array(littleEndian: sealed.count, size: 4) + sealed }

  /// An array and not a packet: nothing here is secret, and each login waits for it.
  private var header: [UInt8] {
    get throws(FormatError) {
      let (owner, reader) = (Array(owner.utf8), Array(reader.utf8))
      guard owner.count <= FieldLimit.user, reader.count <= FieldLimit.name else { throw .tooLong }
      let purpose = Array(Record.Purpose.template.rawValue.utf8) + [Record.Purpose.template.version]
      let whose = Array(littleEndian: uid, size: 4) + [finger.rawValue] + EnrolledFinger.text(owner)
      let which = [isSwipe ? 1 : 0] + Array(littleEndian: enrolled, size: 8) + EnrolledFinger.text(reader)
      return purpose + whose + which
    }
  }

  private static func text(_ bytes: [UInt8]) -> [UInt8] { Array(littleEndian: bytes.count, size: 2) + bytes }

  package init(uid: UInt32, owner: String, finger: Finger, reader: String, isSwipe: Bool, enrolled: UInt64) {
    self.uid = uid
    self.owner = owner
    self.finger = finger
    self.reader = reader
    self.isSwipe = isSwipe
    self.enrolled = enrolled
  }

  /// Reads a file's form. Whether it is authentic shows when its template is opened.
  package init(decoding bytes: [UInt8], uid: UInt32) throws(FormatError) {
    var fields = ByteReader(bytes.span)
    try Record.begin(.template, uid: uid, &fields)
    guard let finger = Finger(rawValue: try fields.byte()) else { throw .badValue }
    let owner = try fields.text(limit: FieldLimit.user)
    let isSwipe = try fields.flag()
    let enrolled = try fields.uint64()
    let reader = try fields.text(limit: FieldLimit.name)
    self.init(uid: uid, owner: owner, finger: finger, reader: reader, isSwipe: isSwipe, enrolled: enrolled)
    let count = Int(try fields.uint32())
    guard count > SealingKey.overhead, count <= SealingKey.overhead + FieldLimit.template else { throw .tooLong }
    sealed = Array(copying: try fields.bytes(count))
    try fields.end()
  }
}
