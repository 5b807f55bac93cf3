import SignetCoreFoundation

// What is said of keys (`SecKeyCreateRandomKey`), and of certificates. Of those there are none here, so that queries with what is theirs
// find nothing; the names are there for programs that mention them. The texts are Apple's.

/// Which half it is: one of the `kSecAttrKeyClass` values. What is kept is private.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// What the key is for: one of the `kSecAttrKeyType` values. Those of elliptic curves are here.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// How long the key is, a number: 256.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// As `kSecAttrKeySizeInBits`.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The program's own name for a key, Data. Several keys may have the same.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// SHA-1 of the public half, Data. Of a half that a program stores it may be another, in which case there is one of each.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// Whether signetd is to hold the key, a Bool.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Whether the private half is not given out, a Bool. Read only: it is not where signetd holds it.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Whether the private half can be had, a Bool: it can where it lies in the program, and only there.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// Whether a key encrypts, a Bool: public halves do. Read only.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key decrypts, a Bool. Read only.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Whether a key takes part in a key exchange, a Bool. Read only.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Whether a key signs, a Bool. Read only.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Whether a key verifies, a Bool. Read only.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key wraps others, a Bool: none does.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key unwraps others, a Bool: none does.
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

/// What is said of the private half of a pair, a dictionary.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// What is said of the public half of a pair, a dictionary. Taken without effect: public halves are not kept.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
