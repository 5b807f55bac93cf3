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
public typealias CFSet = NSSet
public typealias CFMutableSet = NSMutableSet
public typealias CFMutableArray = NSMutableArray
public typealias CFMutableData = NSMutableData
public typealias CFMutableString = NSMutableString
public typealias CFURL = NSURL
public typealias CFNull = NSNull
public typealias CFBundle = Bundle
public typealias CFError = NSError
public typealias CFPropertyList = CFTypeRef

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFTypeID = UInt
public typealias CFHashCode = UInt
public typealias CFTimeInterval = Double
public typealias CFAbsoluteTime = CFTimeInterval
public typealias CFStringEncoding = UInt32

/// Who allocates. There is one allocator here, and another one that frees nothing; neither need be named.
public final class CFAllocator: Sendable {
  fileprivate init() {}
}

/// Memory as `malloc(3)` gives it and `free(3)` takes it.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator()
public let kCFAllocatorSystemDefault: CFAllocator! = kCFAllocatorDefault
public let kCFAllocatorMalloc: CFAllocator! = kCFAllocatorDefault
/// Memory that stays its owner's: nothing is freed.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// Nothing, as an object.
public let kCFNull: CFNull! = NSNull()

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// The result of a call of Security; `errSecSuccess` and others name the values.
public typealias OSStatus = Int32
public typealias FourCharCode = UInt32
public typealias OSType = FourCharCode
public typealias Boolean = UInt8
public typealias SInt8 = Int8
public typealias SInt16 = Int16
public typealias SInt32 = Int32
public typealias SInt64 = Int64

/// No error.
public let noErr: OSStatus = 0

/// Where a call that answers `false` puts the reason: `&error` of a `var error: NSError?`, or `nil`.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What Foundation takes on Apple's systems where a call puts something; here a plain pointer.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer

/// Runs `body`. Objects go when nobody needs them any more, so that there is no pool to empty.
@inlinable public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
