import SignetCoreFoundation

// The keys of a query that say what it is about, and the values of `kSecClass` and `kSecAttrAccessible`. The texts are Apple's.

/// Which kind of item: one of the `kSecClass` values. Every query needs it, but for one by persistent reference.
public nonisolated(unsafe) let kSecClass: CFString = "class"

/// A password for a service and an account.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate: none can be kept here.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A private key that signetd holds: `SecKeyCreateRandomKey`.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its key: none can be kept here.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"

/// When the item may be read: one of the `kSecAttrAccessible` values. `kSecAttrAccessibleWhenUnlocked` if it is left out.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"

/// While the owner has an open session. Items never leave this machine, so it is the same as with `ThisDeviceOnly`.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// From the first passcode after boot until the vault is locked.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// As `kSecAttrAccessibleAfterFirstUnlock`: before the first passcode nothing can be opened here.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// While the owner has an open session.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// From the first passcode after boot until the vault is locked.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// As `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// While the owner has an open session; gone when the account has no passcode any more.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
