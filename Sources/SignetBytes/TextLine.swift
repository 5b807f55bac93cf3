#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// One line of text, built on the stack: for the conversation and the log of a host in which Swift must not allocate.
///
/// What does not fit is left out. It holds no secrets: it is not wiped.
public struct TextLine: ~Copyable {
  private var bytes = InlineArray<256, UInt8>(repeating: 0)

  /// The bytes it holds, 0 to `limit`.
  public private(set) var count = 0

  /// The longest line in bytes; the byte behind it ends a C string.
  public static var limit: Int { 255 }

  public init() {}

  @inline(__always)
  public init(_ text: StaticString) { put(text) }

  public mutating func put(_ byte: UInt8) {
    guard count >= 0, count < 255 else { return }
    bytes[count] = byte
    count &+= 1
  }

  // Inlined, so that the compiler sees the literal: the traps in reading an unknown StaticString are left out then.
  @inline(__always)
  public mutating func put(_ text: StaticString) {
    unsafe put(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Appends `count` bytes at `start`.
  @unsafe public mutating func put(start: UnsafePointer<UInt8>, count: Int) {
    var index = 0
    while index < count {
      unsafe put(start[index])
      index &+= 1
    }
  }

  public mutating func put(_ number: Int) {
    if number < 0 { put(UInt8(ascii: "-")) }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var rest = number.magnitude
    var first = 20
    while first > 0, rest > 0 || first == 20 {
      first &-= 1
      digits[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    while first >= 0, first < 20 {
      put(digits[first])
      first &+= 1
    }
  }

  /// Appends text of others whole, or not at all where it is empty, does not fit, is not UTF-8 or could move the cursor
  /// or turn the direction of a terminal's text.
  public mutating func put(foreign text: Span<UInt8>) -> Bool {
    guard text.count > 0, text.count <= 255 &- count, isPrintable(text) else { return false }
    var index = 0
    while index < text.count {
      put(text[index])
      index &+= 1
    }
    return true
  }

  /// The bytes it holds.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get {
      // The bound is held by put(_:); said again where the compiler needs it to leave out its trap.
      bytes.span.extracting(first: max(0, min(count, 255)))
    }
  }

  /// The line as a C string.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe bytes.span.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else {
        // Never: the storage is part of the value.
        var nothing: CChar = 0
        return unsafe body(&nothing)
      }
      return unsafe body(start.assumingMemoryBound(to: CChar.self))
    }
  }
}

/// Whether the bytes are UTF-8 without control characters (C0, DEL, C1), line separators and bidirectional controls.
public func isPrintable(_ text: Span<UInt8>) -> Bool {
  var index = 0
  while index >= 0, index < text.count {
    let lead = text[index]
    if lead < 0x80 {
      guard lead >= 0x20, lead != 0x7F else { return false }
      index &+= 1
      continue
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, length <= text.count &- index else { return false }
    var scalar = UInt32(lead) & (0xFF &>> UInt32(truncatingIfNeeded: length &+ 1))
    var next = 1
    while next < length, index &+ next >= 0, index &+ next < text.count {
      let byte = text[index &+ next]
      guard byte & 0xC0 == 0x80 else { return false }
      scalar = scalar &<< 6 | UInt32(byte & 0x3F)
      next &+= 1
    }
    guard isPrintable(scalar, length: length) else { return false }
    index &+= length
  }
  return true
}

private func isPrintable(_ scalar: UInt32, length: Int) -> Bool {
  switch length {
  case 2: scalar >= 0xA0 && scalar != 0x61C
  case 3:
    scalar >= 0x800 && !(0xD800...0xDFFF ~= scalar) && !(0x200B...0x200F ~= scalar) && !(0x2028...0x202E ~= scalar)
      && !(0x2060...0x206F ~= scalar) && scalar != 0xFEFF
  default: scalar >= 0x10000 && scalar <= 0x10FFFF
  }
}
