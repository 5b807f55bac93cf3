// SignetCoreFoundation has the names of Core Foundation and of Foundation on Apple's systems that Foundation on Linux lacks,
// and that calls of LocalAuthentication and Security are written with. Both modules give it out, so that a program that imports
// the two meets each name once. Nothing of Signet is in it.
//
// Core Foundation's types are Foundation's classes, to which they are bridged on Apple's systems without a cast: a dictionary
// or a string of either kind is taken as it stands, and `as String` and `as CFDictionary` mean the same here.
@_exported import Dispatch
@_exported import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFDate = NSDate
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFArray = NSArray
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFError = NSError

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFTypeID = UInt

/// Who allocates. There is one allocator here, the default one, and it need not be named.
public final class CFAllocator: Sendable {
  fileprivate init() {}
}

public let kCFAllocatorDefault: CFAllocator! = CFAllocator()

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// The result of a call of Security; `errSecSuccess` and others name the values.
public typealias OSStatus = Int32
public typealias FourCharCode = UInt32
public typealias OSType = FourCharCode

/// No error.
public let noErr: OSStatus = 0

/// Where a call that answers `false` puts the reason: `&error` of a `var error: NSError?`, or `nil`.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The domain of an error.
public func CFErrorGetDomain(_ error: CFError) -> CFString { error.domain as CFString }

/// The code of an error in its domain.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// What an error is, in words.
public func CFErrorCopyDescription(_ error: CFError) -> CFString { error.localizedDescription as CFString }

/// Whether two objects are equal, as `isEqual` says.
public func CFEqual(_ one: CFTypeRef, _ other: CFTypeRef) -> Bool {
  if let one = one as? NSObject { one.isEqual(other) } else { one === other }
}
