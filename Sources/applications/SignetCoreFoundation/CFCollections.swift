import Foundation

// Core Foundation's calls about numbers, dates and collections, which are Foundation's objects. Objects go in as pointers, as
// `Unmanaged.toOpaque()` makes them. Nothing gives one out as a pointer: Foundation on Linux makes an object anew each time it gives one
// out, and nobody would hold it.

// MARK: Numbers and dates

/// What a number is read as and made from.
public enum CFNumberType: CFIndex, Sendable {
  case sInt8Type = 1
  case sInt16Type, sInt32Type, sInt64Type
  case float32Type, float64Type
  case charType, shortType, intType, longType, longLongType
  case floatType, doubleType
  case cfIndexType, nsIntegerType, cgFloatType
}

public func CFNumberCreate(_ allocator: CFAllocator!, _ type: CFNumberType, _ value: UnsafeRawPointer!) -> CFNumber! {
  func load<Number>(_ type: Number.Type) -> Number { unsafe value.loadUnaligned(as: type) }
  return switch type {
  case .sInt8Type, .charType: NSNumber(value: load(Int8.self))
  case .sInt16Type, .shortType: NSNumber(value: load(Int16.self))
  case .sInt32Type, .intType: NSNumber(value: load(Int32.self))
  case .sInt64Type, .longLongType, .longType, .cfIndexType, .nsIntegerType: NSNumber(value: load(Int64.self))
  case .float32Type, .floatType: NSNumber(value: load(Float.self))
  case .float64Type, .doubleType, .cgFloatType: NSNumber(value: load(Double.self))
  }
}

/// Whether the number could be put there as it is, and not only the nearest one.
@discardableResult
public func CFNumberGetValue(_ number: CFNumber!, _ type: CFNumberType, _ value: UnsafeMutableRawPointer!) -> Bool {
  func store<Number: BinaryInteger & BitwiseCopyable>(_ given: Number) -> Bool {
    unsafe value.storeBytes(of: given, as: Number.self)
    return NSNumber(value: Int64(given)).isEqual(number)
  }
  func store<Number: BinaryFloatingPoint & BitwiseCopyable>(_ given: Number) -> Bool {
    unsafe value.storeBytes(of: given, as: Number.self)
    return Double(given) == number.doubleValue
  }
  return switch type {
  case .sInt8Type, .charType: store(number.int8Value)
  case .sInt16Type, .shortType: store(number.int16Value)
  case .sInt32Type, .intType: store(number.int32Value)
  case .sInt64Type, .longLongType, .longType, .cfIndexType, .nsIntegerType: store(number.int64Value)
  case .float32Type, .floatType: store(number.floatValue)
  case .float64Type, .doubleType, .cgFloatType: store(number.doubleValue)
  }
}

public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean.boolValue }

/// Seconds since 2001, by the wall clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

public func CFDateCreate(_ allocator: CFAllocator!, _ time: CFAbsoluteTime) -> CFDate! {
  NSDate(timeIntervalSinceReferenceDate: time)
}

public func CFDateGetAbsoluteTime(_ date: CFDate!) -> CFAbsoluteTime { date.timeIntervalSinceReferenceDate }

public func CFDateGetTimeIntervalSinceDate(_ date: CFDate!, _ other: CFDate!) -> CFTimeInterval {
  date.timeIntervalSince(other as Date)
}

// MARK: Collections

private func object(_ pointer: UnsafeRawPointer!) -> AnyObject {
  unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
}

/// How a dictionary holds its keys: as objects. There is no other way here.
public struct CFDictionaryKeyCallBacks: Sendable { public init() {} }
/// How a dictionary holds its values: as objects. There is no other way here.
public struct CFDictionaryValueCallBacks: Sendable { public init() {} }
/// How an array holds its values: as objects. There is no other way here.
public struct CFArrayCallBacks: Sendable { public init() {} }

public nonisolated(unsafe) var kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public nonisolated(unsafe) var kCFCopyStringDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public nonisolated(unsafe) var kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
public nonisolated(unsafe) var kCFTypeArrayCallBacks = CFArrayCallBacks()

public func CFDictionaryCreateMutable(
  _ allocator: CFAllocator!, _ capacity: CFIndex, _ keys: UnsafePointer<CFDictionaryKeyCallBacks>!,
  _ values: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { NSMutableDictionary() }

public func CFDictionaryCreate(
  _ allocator: CFAllocator!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
  _ count: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFDictionary! {
  let dictionary = NSMutableDictionary()
  for index in 0..<count { unsafe CFDictionarySetValue(dictionary, keys[index], values[index]) }
  return NSDictionary(dictionary: dictionary as? [AnyHashable: Any] ?? [:])
}

public func CFDictionaryCreateCopy(_ allocator: CFAllocator!, _ dictionary: CFDictionary!) -> CFDictionary! {
  dictionary.copy() as? NSDictionary
}

public func CFDictionaryCreateMutableCopy(
  _ allocator: CFAllocator!, _ capacity: CFIndex, _ dictionary: CFDictionary!
) -> CFMutableDictionary! { dictionary.mutableCopy() as? NSMutableDictionary }

public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex { dictionary.count }

public func CFDictionaryContainsKey(_ dictionary: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
  unsafe dictionary.object(forKey: object(key)) != nil
}

public func CFDictionarySetValue(_ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!) {
  guard let key = unsafe object(key) as? AnyHashable else { return }
  unsafe dictionary.setObject(object(value), forKey: key)
}

/// Changes nothing where the key is there.
public func CFDictionaryAddValue(_ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!) {
  if unsafe !CFDictionaryContainsKey(dictionary, key) { unsafe CFDictionarySetValue(dictionary, key, value) }
}

public func CFDictionaryRemoveValue(_ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
  unsafe dictionary.removeObject(forKey: object(key))
}

public func CFDictionaryRemoveAllValues(_ dictionary: CFMutableDictionary!) { dictionary.removeAllObjects() }

public func CFArrayCreateMutable(
  _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! { NSMutableArray() }

public func CFArrayCreateCopy(_ allocator: CFAllocator!, _ array: CFArray!) -> CFArray! { array.copy() as? NSArray }

public func CFArrayGetCount(_ array: CFArray!) -> CFIndex { array.count }

public func CFArrayAppendValue(_ array: CFMutableArray!, _ value: UnsafeRawPointer!) { unsafe array.add(object(value)) }

public func CFSetGetCount(_ set: CFSet!) -> CFIndex { set.count }

public func CFSetContainsValue(_ set: CFSet!, _ value: UnsafeRawPointer!) -> Bool { unsafe set.contains(object(value)) }

// MARK: Bundles

public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
public nonisolated(unsafe) let kCFBundleNameKey: CFString! = "CFBundleName"
public nonisolated(unsafe) let kCFBundleVersionKey: CFString! = "CFBundleVersion"
public nonisolated(unsafe) let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"
public nonisolated(unsafe) let kCFBundleInfoDictionaryVersionKey: CFString! = "CFBundleInfoDictionaryVersion"
public nonisolated(unsafe) let kCFBundleDevelopmentRegionKey: CFString! = "CFBundleDevelopmentRegion"
public nonisolated(unsafe) let kCFBundleLocalizationsKey: CFString! = "CFBundleLocalizations"

/// The program's bundle. Its identifier is in an Info.plist beside the executable, or it has none.
public func CFBundleGetMainBundle() -> CFBundle! { Bundle.main }

public func CFBundleGetIdentifier(_ bundle: CFBundle!) -> CFString! { bundle.bundleIdentifier as CFString? }

public func CFBundleGetInfoDictionary(_ bundle: CFBundle!) -> CFDictionary! { bundle.infoDictionary as NSDictionary? }

public func CFBundleGetValueForInfoDictionaryKey(_ bundle: CFBundle!, _ key: CFString!) -> CFTypeRef! {
  bundle.object(forInfoDictionaryKey: key as String).map { $0 as AnyObject }
}

// MARK: UUIDs

/// Foundation's, whose text and bytes are the same.
public typealias CFUUID = NSUUID

public func CFUUIDCreate(_ allocator: CFAllocator!) -> CFUUID! { NSUUID() }

public func CFUUIDCreateString(_ allocator: CFAllocator!, _ uuid: CFUUID!) -> CFString! { uuid.uuidString as CFString }
