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

  /// Appends a sentence that has `#` where the number belongs.
  @inline(__always)
  public mutating func put(_ sentence: StaticString, number: Int) {
    unsafe put(start: sentence.utf8Start, count: sentence.utf8CodeUnitCount, number: number)
  }

  /// The same for a sentence of `count` bytes at `start`.
  @unsafe public mutating func put(start: UnsafePointer<UInt8>, count: Int, number: Int) {
    var index = 0
    while index < count {
      if unsafe start[index] == UInt8(ascii: "#") { put(number) } else { unsafe put(start[index]) }
      index &+= 1
    }
  }

  /// Appends a sentence that has `#` where text of others belongs; nothing where that text is empty or not harmless, or the whole does not fit.
  @inline(__always)
  public mutating func put(_ sentence: StaticString, foreign text: Span<UInt8>) -> Bool {
    unsafe put(start: sentence.utf8Start, count: sentence.utf8CodeUnitCount, foreign: text)
  }

  /// The same for a sentence of `count` bytes at `start`.
  @unsafe public mutating func put(start: UnsafePointer<UInt8>, count length: Int, foreign text: Span<UInt8>) -> Bool {
    guard length &- 1 &+ text.count <= 255 &- count, text.count > 0, ForeignText.isHarmless(text) else { return false }
    var index = 0
    while index < length {
      if unsafe start[index] == UInt8(ascii: "#") { _ = put(foreign: text) } else { unsafe put(start[index]) }
      index &+= 1
    }
    return true
  }

  /// Appends text of others whole, or not at all where it is empty, does not fit or is not harmless.
  public mutating func put(foreign text: Span<UInt8>) -> Bool {
    guard text.count > 0, text.count <= 255 &- count, ForeignText.isHarmless(text) else { return false }
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
