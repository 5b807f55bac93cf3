import SignetContexts
import SignetCoreFoundation

// The results of Security's calls. Numbers and texts are Apple's, but for the texts of those that no call here gives.

/// No error.
public let errSecSuccess: OSStatus = 0
/// Function or operation not implemented.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// I/O error.
public let errSecIO: OSStatus = -36
/// The file is already open with write permission.
public let errSecOpWr: OSStatus = -49
/// One or more parameters passed to a function were not valid.
public let errSecParam: OSStatus = -50
/// Write permissions error.
public let errSecWrPerm: OSStatus = -61
/// Failed to allocate memory.
public let errSecAllocate: OSStatus = -108
/// User canceled the operation.
public let errSecUserCanceled: OSStatus = -128
/// Bad parameter or invalid state for operation.
public let errSecBadReq: OSStatus = -909
/// An internal component failed.
public let errSecInternalComponent: OSStatus = -2070
/// No keychain is available. You may need to restart your computer.
public let errSecNotAvailable: OSStatus = -25291
/// This keychain cannot be modified.
public let errSecReadOnly: OSStatus = -25292
/// The user name or passphrase you entered is not correct.
public let errSecAuthFailed: OSStatus = -25293
/// The specified keychain could not be found.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The specified keychain is not a valid keychain file.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain with the same name already exists.
public let errSecDuplicateKeychain: OSStatus = -25296
/// The specified callback function is already installed.
public let errSecDuplicateCallback: OSStatus = -25297
/// The specified callback function is not valid.
public let errSecInvalidCallback: OSStatus = -25298
/// The specified item already exists in the keychain.
public let errSecDuplicateItem: OSStatus = -25299
/// The specified item could not be found in the keychain.
public let errSecItemNotFound: OSStatus = -25300
/// There is not enough memory available to use the specified item.
public let errSecBufferTooSmall: OSStatus = -25301
/// This item contains information which is too large or in a format that cannot be displayed.
public let errSecDataTooLarge: OSStatus = -25302
/// The specified attribute does not exist.
public let errSecNoSuchAttr: OSStatus = -25303
/// The specified item is no longer valid. It may have been deleted from the keychain.
public let errSecInvalidItemRef: OSStatus = -25304
/// Unable to search the current keychain.
public let errSecInvalidSearchRef: OSStatus = -25305
/// The specified item does not appear to be a valid keychain item.
public let errSecNoSuchClass: OSStatus = -25306
/// A default keychain could not be found.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// User interaction is not allowed.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The specified attribute could not be modified.
public let errSecReadOnlyAttr: OSStatus = -25309
/// User interaction is required, but is currently not allowed.
public let errSecInteractionRequired: OSStatus = -25315
/// The contents of this item cannot be retrieved.
public let errSecDataNotAvailable: OSStatus = -25316
/// The contents of this item cannot be modified.
public let errSecDataNotModifiable: OSStatus = -25317
/// In dark wake, no UI possible.
public let errSecInDarkWake: OSStatus = -25320
/// Unable to decode the provided data.
public let errSecDecode: OSStatus = -26275
/// A required entitlement isn't present.
public let errSecMissingEntitlement: OSStatus = -34018
/// Client is restricted and is not permitted to perform this operation.
public let errSecRestrictedAPI: OSStatus = -34020

/// What a result means, in English; `OSStatus` and the number where it is not known.
///
/// - Parameter reserved: `nil`.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
  let known = "\(ItemStatus(rawValue: status).text)"
  if !known.isEmpty { return known as CFString }
  // Of the numbers that follow one another, each has a place.
  let place = Int(errSecServiceNotAvailable) - Int(status)
  if cryptographicMessages.indices.contains(place) { return cryptographicMessages[place] as CFString }
  return (messages[status] ?? otherMessages[status] ?? "OSStatus \(status)") as CFString
}

/// Of those that are not `ItemStatus`'s.
private let messages: [OSStatus: String] = [
  errSecIO: "I/O error.",
  errSecOpWr: "The file is already open with write permission.",
  errSecWrPerm: "Write permissions error.",
  errSecBadReq: "Bad parameter or invalid state for operation.",
  errSecReadOnly: "This keychain cannot be modified.",
  errSecNoSuchKeychain: "The specified keychain could not be found.",
  errSecInvalidKeychain: "The specified keychain is not a valid keychain file.",
  errSecDuplicateKeychain: "A keychain with the same name already exists.",
  errSecDuplicateCallback: "The specified callback function is already installed.",
  errSecInvalidCallback: "The specified callback function is not valid.",
  errSecBufferTooSmall: "There is not enough memory available to use the specified item.",
  errSecNoSuchAttr: "The specified attribute does not exist.",
  errSecInvalidItemRef: "The specified item is no longer valid. It may have been deleted from the keychain.",
  errSecInvalidSearchRef: "Unable to search the current keychain.",
  errSecNoSuchClass: "The specified item does not appear to be a valid keychain item.",
  errSecNoDefaultKeychain: "A default keychain could not be found.",
  errSecReadOnlyAttr: "The specified attribute could not be modified.",
  errSecInteractionRequired: "User interaction is required, but is currently not allowed.",
  errSecDataNotAvailable: "The contents of this item cannot be retrieved.",
  errSecDataNotModifiable: "The contents of this item cannot be modified.",
  errSecInDarkWake: "In dark wake, no UI possible.",
  errSecDecode: "Unable to decode the provided data.",
  errSecRestrictedAPI: "Client is restricted and is not permitted to perform this operation.",
]
