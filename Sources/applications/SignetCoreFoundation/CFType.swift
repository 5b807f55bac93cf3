import Foundation

// Core Foundation's calls that take an object of any of its types, and what tells the types apart.

/// An object of a type of its own, such as Security's.
package protocol CoreFoundationObject: AnyObject {
  static var typeID: CFTypeID { get }
}

// The numbers mean nothing by themselves, on Apple's systems either: a program compares them.
public func CFStringGetTypeID() -> CFTypeID { 7 }
public func CFNullGetTypeID() -> CFTypeID { 16 }
public func CFSetGetTypeID() -> CFTypeID { 17 }
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }
public func CFArrayGetTypeID() -> CFTypeID { 19 }
public func CFDataGetTypeID() -> CFTypeID { 20 }
public func CFBooleanGetTypeID() -> CFTypeID { 21 }
public func CFNumberGetTypeID() -> CFTypeID { 22 }
public func CFErrorGetTypeID() -> CFTypeID { 27 }
public func CFURLGetTypeID() -> CFTypeID { 29 }
public func CFDateGetTypeID() -> CFTypeID { 42 }
public func CFUUIDGetTypeID() -> CFTypeID { 43 }

/// Of which type an object is, to be compared with what `CFStringGetTypeID()` and its like say; 0 for one that is of no type of
/// Core Foundation's.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
  switch object {
  case let object as any CoreFoundationObject: type(of: object).typeID
  case is NSString: CFStringGetTypeID()
  case is NSNull: CFNullGetTypeID()
  case is NSSet: CFSetGetTypeID()
  case is NSDictionary: CFDictionaryGetTypeID()
  case is NSArray: CFArrayGetTypeID()
  case is NSData: CFDataGetTypeID()
  case let number as NSNumber: number.isBoolean ? CFBooleanGetTypeID() : CFNumberGetTypeID()
  case is NSURL: CFURLGetTypeID()
  case is NSDate: CFDateGetTypeID()
  case is NSUUID: CFUUIDGetTypeID()
  case is NSError: CFErrorGetTypeID()
  default: 0
  }
}

/// Whether two objects are equal, as `isEqual` says.
public func CFEqual(_ one: CFTypeRef!, _ other: CFTypeRef!) -> Bool {
  if let one = one as? NSObject { one.isEqual(other) } else { one === other }
}

/// A number that is the same for equal objects.
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
  // Foundation's errors are equal by these, and have no hash of their own.
  if let error = object as? NSError { return CFHashCode(bitPattern: error.domain.hashValue ^ error.code) }
  if let object = object as? NSObject { return CFHashCode(bitPattern: object.hash) }
  return CFHashCode(bitPattern: ObjectIdentifier(object).hashValue)
}

/// An object in words, for people who look for mistakes.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! { "\(object!)" as CFString }

/// Shows the same on the standard error.
public func CFShow(_ object: CFTypeRef!) {
  FileHandle.standardError.write(Data("\(object!)\n".utf8))
}

extension NSNumber {
  /// Whether it was made from a Bool. One of its classes is for these alone.
  package var isBoolean: Bool { type(of: self as AnyObject) == type(of: kCFBooleanTrue as AnyObject) }
}
