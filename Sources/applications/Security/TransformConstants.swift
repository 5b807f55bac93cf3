import SignetCoreFoundation

// What Apple's Security names of transforms, for programs that mention it. No call here takes or gives one. The texts and numbers are
// Apple's.

public var kSecDigestMD2: CFString { "MD2 Digest" }
public var kSecDigestMD4: CFString { "MD4 Digest" }
public var kSecDigestMD5: CFString { "MD5 Digest" }
public var kSecDigestSHA1: CFString { "SHA1 Digest" }
public var kSecDigestSHA2: CFString { "SHA2 Digest Family" }
public var kSecDigestHMACMD5: CFString { "HMAC-MD5" }
public var kSecDigestHMACSHA1: CFString { "HMAC-SHA1" }
public var kSecDigestHMACSHA2: CFString { "HMAC-SHA2 Digest Family" }
public var kSecDigestTypeAttribute: CFString { "Digest Type" }
public var kSecDigestLengthAttribute: CFString { "Digest Length" }
public var kSecDigestHMACKeyAttribute: CFString { "HMAC Key" }
public var kSecBase64Encoding: CFString { "base64" }
public var kSecBase32Encoding: CFString { "base32" }
public var kSecZLibEncoding: CFString { "zlib" }
public var kSecEncodeTypeAttribute: CFString { "EncodeType" }
public var kSecDecodeTypeAttribute: CFString { "DecodeType" }
public var kSecEncodeLineLengthAttribute: CFString { "LineLength" }
public var kSecCompressionRatio: CFString { "CompressionRatio" }
public var kSecLineLength64: CFString { "64" }
public var kSecLineLength76: CFString { "76" }
public var kSecPaddingNoneKey: CFString { "SecPaddingNoneKey" }
public var kSecPaddingPKCS1Key: CFString { "SecPaddingPKCS1Key" }
public var kSecPaddingPKCS5Key: CFString { "SecPaddingPKCS5Key" }
public var kSecPaddingPKCS7Key: CFString { "SecPaddingPKCS7Key" }
public var kSecPaddingOAEPKey: CFString { "OAEPPadding" }
public var kSecOAEPMGF1DigestAlgorithmAttributeName: CFString { "OAEPMGF1DigestAlgo" }
public var kSecOAEPMessageLengthAttributeName: CFString { "OAEPMessageLength" }
public var kSecOAEPEncodingParametersAttributeName: CFString { "OAEPEncodingParameters" }
public var kSecModeNoneKey: CFString { "SecModeNoneKey" }
public var kSecModeECBKey: CFString { "SecModeECBKey" }
public var kSecModeCBCKey: CFString { "SecModeCBCKey" }
public var kSecModeCFBKey: CFString { "SecModeCFBKey" }
public var kSecModeOFBKey: CFString { "SecModeOFBKey" }
public var kSecEncryptKey: CFString { "SecEncryptKey" }
public var kSecPaddingKey: CFString { "SecPaddingKey" }
public var kSecIVKey: CFString { "SecIVKey" }
public var kSecEncryptionMode: CFString { "SecEncryptionMode" }
public var kSecKeyAttributeName: CFString { "KEY" }
public var kSecSignatureAttributeName: CFString { "Signature" }
public var kSecInputIsAttributeName: CFString { "InputIs" }
public var kSecInputIsPlainText: CFString { "PlainText" }
public var kSecInputIsDigest: CFString { "Digest" }
public var kSecInputIsRaw: CFString { "Raw" }
public var kSecTransformInputAttributeName: CFString { "INPUT" }
public var kSecTransformOutputAttributeName: CFString { "OUTPUT" }
public var kSecTransformDebugAttributeName: CFString { "DEBUG" }
public var kSecTransformTransformName: CFString { "NAME" }
public var kSecTransformErrorDomain: CFString { "com.apple.security.transforms.error" }
public var kSecTransformAbortAttributeName: CFString { "ABORT" }
public var kSecTransformPreviousErrorKey: CFString { "PreviousError" }
public var kSecTransformAbortOriginatorKey: CFString { "Originating Transform" }
public var kSecTransformActionCanExecute: CFString { "CanExecute" }
public var kSecTransformActionStartingExecution: CFString { "ExecuteStarting" }
public var kSecTransformActionProcessData: CFString { "TransformProcessData" }
public var kSecTransformActionAttributeNotification: CFString { "GenericAttributeSetNotification" }
public var kSecTransformActionFinalize: CFString { "Finalize" }
public var kSecTransformActionExternalizeExtraData: CFString { "ExternalizeExtraData" }
public var kSecTransformActionInternalizeExtraData: CFString { "InternalizeExtraData" }
public var kSecTransformActionAttributeValidation: CFString { "AttributeValidation" }

// Why one failed.
public var kSecTransformErrorAttributeNotFound: CFIndex { 1 }
public var kSecTransformErrorInvalidOperation: CFIndex { 2 }
public var kSecTransformErrorNotInitializedCorrectly: CFIndex { 3 }
public var kSecTransformErrorMoreThanOneOutput: CFIndex { 4 }
public var kSecTransformErrorInvalidInputDictionary: CFIndex { 5 }
public var kSecTransformErrorInvalidAlgorithm: CFIndex { 6 }
public var kSecTransformErrorInvalidLength: CFIndex { 7 }
public var kSecTransformErrorInvalidType: CFIndex { 8 }
public var kSecTransformErrorInvalidInput: CFIndex { 10 }
public var kSecTransformErrorNameAlreadyRegistered: CFIndex { 11 }
public var kSecTransformErrorUnsupportedAttribute: CFIndex { 12 }
public var kSecTransformOperationNotSupportedOnGroup: CFIndex { 13 }
public var kSecTransformErrorMissingParameter: CFIndex { 14 }
public var kSecTransformErrorInvalidConnection: CFIndex { 15 }
public var kSecTransformTransformIsExecuting: CFIndex { 16 }
public var kSecTransformInvalidOverride: CFIndex { 17 }
public var kSecTransformTransformIsNotRegistered: CFIndex { 18 }
public var kSecTransformErrorAbortInProgress: CFIndex { 19 }
public var kSecTransformErrorAborted: CFIndex { 20 }
public var kSecTransformInvalidArgument: CFIndex { 21 }
