import SignetCoreFoundation

// What Apple's Security names of keychain files and who may use what is in them, for programs that mention it. No call here takes or gives
// one. The texts and numbers are Apple's.

// What a program may be let do.
public var kSecACLAuthorizationAny: CFString { "ACLAuthorizationAny" }
public var kSecACLAuthorizationLogin: CFString { "ACLAuthorizationLogin" }
public var kSecACLAuthorizationGenKey: CFString { "ACLAuthorizationGenKey" }
public var kSecACLAuthorizationDelete: CFString { "ACLAuthorizationDelete" }
public var kSecACLAuthorizationExportWrapped: CFString { "ACLAuthorizationExportWrapped" }
public var kSecACLAuthorizationExportClear: CFString { "ACLAuthorizationExportClear" }
public var kSecACLAuthorizationImportWrapped: CFString { "ACLAuthorizationImportWrapped" }
public var kSecACLAuthorizationImportClear: CFString { "ACLAuthorizationImportClear" }
public var kSecACLAuthorizationSign: CFString { "ACLAuthorizationSign" }
public var kSecACLAuthorizationEncrypt: CFString { "ACLAuthorizationEncrypt" }
public var kSecACLAuthorizationDecrypt: CFString { "ACLAuthorizationDecrypt" }
public var kSecACLAuthorizationMAC: CFString { "ACLAuthorizationMAC" }
public var kSecACLAuthorizationDerive: CFString { "ACLAuthorizationDerive" }
public var kSecACLAuthorizationKeychainCreate: CFString { "ACLAuthorizationKeychainCreate" }
public var kSecACLAuthorizationKeychainDelete: CFString { "ACLAuthorizationKeychainDelete" }
public var kSecACLAuthorizationKeychainItemRead: CFString { "ACLAuthorizationKeychainItemRead" }
public var kSecACLAuthorizationKeychainItemInsert: CFString { "ACLAuthorizationKeychainItemInsert" }
public var kSecACLAuthorizationKeychainItemModify: CFString { "ACLAuthorizationKeychainItemModify" }
public var kSecACLAuthorizationKeychainItemDelete: CFString { "ACLAuthorizationKeychainItemDelete" }
public var kSecACLAuthorizationChangeACL: CFString { "ACLAuthorizationChangeACL" }
public var kSecACLAuthorizationChangeOwner: CFString { "ACLAuthorizationChangeOwner" }
public var kSecACLAuthorizationPartitionID: CFString { "ACLAuthorizationPartitionID" }
public var kSecACLAuthorizationIntegrity: CFString { "ACLAuthorizationIntegrity" }

// Who owns the rules.
public var kSecUseOnlyUID: Int { 1 }
public var kSecUseOnlyGID: Int { 2 }
public var kSecHonorRoot: Int { 0x100 }
public var kSecMatchBits: Int { 3 }

// How a keychain file is now.
public var kSecUnlockStateStatus: UInt32 { 1 }
public var kSecReadPermStatus: UInt32 { 2 }
public var kSecWritePermStatus: UInt32 { 4 }

// Fields of certificates and keys in one.
public var kSecSubjectItemAttr: Int { 0x7375_626A }
public var kSecIssuerItemAttr: Int { 0x6973_7375 }
public var kSecSerialNumberItemAttr: Int { 0x736E_6272 }
public var kSecPublicKeyHashItemAttr: Int { 0x6870_6B79 }
public var kSecSubjectKeyIdentifierItemAttr: Int { 0x736B_6964 }
public var kSecCertTypeItemAttr: Int { 0x6374_7970 }
public var kSecCertEncodingItemAttr: Int { 0x6365_6E63 }
public var kSecKeyKeyClass: Int { 0 }
public var kSecKeyPrintName: Int { 1 }
public var kSecKeyAlias: Int { 2 }
public var kSecKeyPermanent: Int { 3 }
public var kSecKeyPrivate: Int { 4 }
public var kSecKeyModifiable: Int { 5 }
public var kSecKeyLabel: Int { 6 }
public var kSecKeyApplicationTag: Int { 7 }
public var kSecKeyKeyCreator: Int { 8 }
public var kSecKeyKeyType: Int { 9 }
public var kSecKeyKeySizeInBits: Int { 10 }
public var kSecKeyEffectiveKeySize: Int { 11 }
public var kSecKeyStartDate: Int { 12 }
public var kSecKeyEndDate: Int { 13 }
public var kSecKeySensitive: Int { 14 }
public var kSecKeyAlwaysSensitive: Int { 15 }
public var kSecKeyExtractable: Int { 16 }
public var kSecKeyNeverExtractable: Int { 17 }
public var kSecKeyEncrypt: Int { 18 }
public var kSecKeyDecrypt: Int { 19 }
public var kSecKeyDerive: Int { 20 }
public var kSecKeySign: Int { 21 }
public var kSecKeyVerify: Int { 22 }
public var kSecKeySignRecover: Int { 23 }
public var kSecKeyVerifyRecover: Int { 24 }
public var kSecKeyWrap: Int { 25 }
public var kSecKeyUnwrap: Int { 26 }
