import Foundation

// Core Foundation's calls about errors, which are Foundation's `NSError`.

public typealias CFErrorDomain = CFString

public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"
public nonisolated(unsafe) let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"

public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! = "NSLocalizedDescription"
public nonisolated(unsafe) let kCFErrorLocalizedFailureKey: CFString! = "NSLocalizedFailure"
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! = "NSLocalizedFailureReason"
public nonisolated(unsafe) let kCFErrorLocalizedRecoverySuggestionKey: CFString! = "NSLocalizedRecoverySuggestion"
public nonisolated(unsafe) let kCFErrorDescriptionKey: CFString! = "NSDescription"
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"
public nonisolated(unsafe) let kCFErrorURLKey: CFString! = "NSURL"
public nonisolated(unsafe) let kCFErrorFilePathKey: CFString! = "NSFilePath"

/// An error with what is known of it, by keys such as `kCFErrorLocalizedDescriptionKey`.
public func CFErrorCreate(
  _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}

/// The domain of an error.
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! { error.domain as CFString }

/// The code of an error in its domain.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error.code }

/// What is known of an error; empty where nothing is.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! { error.userInfo as NSDictionary }

/// What an error is, in words.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! { error.localizedDescription as CFString }

/// Why it came to the error, where it says so.
public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! { error.localizedFailureReason as CFString? }

/// What to do about it, where it says so.
public func CFErrorCopyRecoverySuggestion(_ error: CFError!) -> CFString! { error.localizedRecoverySuggestion as CFString? }
