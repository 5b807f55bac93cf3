import SignetCoreFoundation

// What is said of keys and certificates. There are none here, so that queries with these find nothing; the names are there for
// programs that mention them. The texts are Apple's.

/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// An attribute of keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"

/// A value of `kSecAttrKeyClass`.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// A value of `kSecAttrKeyClass`.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A value of `kSecAttrKeyClass`.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"

/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// A value of `kSecAttrKeyType`.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"

/// How a key is made from a password.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// How a key is made from a password.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// How a key is made from a password.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// A value of `kSecAttrPRF`.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// A value of `kSecAttrPRF`.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// A value of `kSecAttrPRF`.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// A value of `kSecAttrPRF`.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// A value of `kSecAttrPRF`.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"

/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// An attribute of certificates.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"

/// Attributes of one key of a pair.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// Attributes of one key of a pair.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
