import Foundation

// Core Foundation's calls about data and strings, which are Foundation's objects.

public struct CFRange: Equatable, Sendable {
  public var location: CFIndex
  public var length: CFIndex
  public init() { (location, length) = (0, 0) }
  public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
}

public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange { CFRange(location: location, length: length) }

/// A copy of the bytes.
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
  unsafe NSData(bytes: bytes, length: length)
}

/// The bytes where they are.
///
/// - Parameter deallocator: `kCFAllocatorNull` where the memory stays the caller's, who keeps it as long as the data lives;
///   otherwise it is freed with the data.
public func CFDataCreateWithBytesNoCopy(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ deallocator: CFAllocator!
) -> CFData! {
  // Whoever frees it may write to it; nobody else does.
  unsafe NSData(
    bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length, freeWhenDone: deallocator !== kCFAllocatorNull)
}

public func CFDataCreateCopy(_ allocator: CFAllocator!, _ data: CFData!) -> CFData! { NSData(data: data as Data) }

public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! { NSMutableData() }

public func CFDataCreateMutableCopy(_ allocator: CFAllocator!, _ capacity: CFIndex, _ data: CFData!) -> CFMutableData! {
  NSMutableData(data: data as Data)
}

public func CFDataGetLength(_ data: CFData!) -> CFIndex { data.length }

/// The bytes, as long as the data lives and is not changed.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
  unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

public func CFDataGetMutableBytePtr(_ data: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
  unsafe data.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

public func CFDataGetBytes(_ data: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
  unsafe data.getBytes(buffer, range: NSRange(location: range.location, length: range.length))
}

public func CFDataAppendBytes(_ data: CFMutableData!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) {
  unsafe data.append(bytes, length: length)
}

/// Cuts the data, or makes it longer by zeros.
public func CFDataSetLength(_ data: CFMutableData!, _ length: CFIndex) { data.length = length }

public func CFDataIncreaseLength(_ data: CFMutableData!, _ more: CFIndex) { data.length += more }

/// How a string is encoded, with Core Foundation's numbers.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
  case macRoman = 0
  case isoLatin1 = 0x0201
  case ASCII = 0x0600
  case UTF8 = 0x0800_0100
  case UTF16 = 0x0100
  case UTF16BE = 0x1000_0100
  case UTF16LE = 0x1400_0100

  fileprivate var encoding: String.Encoding {
    switch self {
    case .macRoman: .macOSRoman
    case .isoLatin1: .isoLatin1
    case .ASCII: .ascii
    case .UTF8: .utf8
    case .UTF16: .utf16
    case .UTF16BE: .utf16BigEndian
    case .UTF16LE: .utf16LittleEndian
    }
  }
}

/// A string of so many units of UTF-16.
public func CFStringGetLength(_ string: CFString!) -> CFIndex { string.length }

public func CFStringCreateCopy(_ allocator: CFAllocator!, _ string: CFString!) -> CFString! { NSString(string: string as String) }

/// `nil` where the bytes are no text of this encoding.
public func CFStringCreateWithCString(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
  guard let encoding = CFStringBuiltInEncodings(rawValue: encoding)?.encoding else { return nil }
  return unsafe String(cString: bytes, encoding: encoding) as CFString?
}

/// `nil` where the bytes are no text of this encoding.
public func CFStringCreateWithBytes(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ count: CFIndex, _ encoding: CFStringEncoding, _ hasMark: Bool
) -> CFString! {
  guard let encoding = CFStringBuiltInEncodings(rawValue: encoding)?.encoding else { return nil }
  return unsafe String(data: Data(bytes: bytes, count: count), encoding: encoding) as CFString?
}
