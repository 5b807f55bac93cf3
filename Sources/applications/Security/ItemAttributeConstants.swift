import SignetCoreFoundation

// What an item is called and what is kept with it. The texts are Apple's.

/// What must be proved before the item is released: a `SecAccessControl`.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group, a string. Each program has its own here, and no other: an item's is the program that stored it. Naming one
/// in which nothing is, or storing into another than the own one, is `errSecMissingEntitlement`.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item may go to the owner's other devices, a Bool. None does, but an item with `true` is another one than that
/// without, as on Apple's systems; queries are about those without, if it is left out.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// A value of `kSecAttrSynchronizable` in queries: items that stay here, and others.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// Access of the file-based keychain, which is not there: `errSecUnimplemented`.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// The token that holds the item: for keys `kSecAttrTokenIDSecureEnclave`; there is no other.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// A value of `kSecAttrTokenID`. signetd stands in its place, and holds all permanent keys. It is software: SECURITY.md says what that means.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// A value of `kSecAttrAccessGroup`.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Whose the password is, a string of at most 256 bytes. Part of the item's name.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// What a generic password is for, a string of at most 256 bytes. Part of the item's name.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// How the item is shown, a string.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// What kind of item it is, a string.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A comment, a string.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The program's own data with a generic password.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// When the item was stored, a Date. Read only.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// When the item was last changed, a Date. Read only.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// Who made the item: four characters as a number.
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// Which type the item has: four characters as a number.
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Whether the item is not to be shown, a Bool.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether the item says that there is no password, a Bool.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The server of an internet password, a string. Part of the item's name.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The security domain of an internet password, a string. Part of the item's name.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The protocol of an internet password: a `kSecAttrProtocol` value. Part of the item's name.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// How an internet password is used: a `kSecAttrAuthenticationType` value. Part of the item's name.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password, a number. Part of the item's name.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path of an internet password, a string. Part of the item's name.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// Which group of synchronizable items an item is of. Kept out: there is one group here.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// A persistent reference among attributes; `kSecValuePersistentRef` finds the item.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// The older spelling of `kSecAttrPersistentReference`.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
