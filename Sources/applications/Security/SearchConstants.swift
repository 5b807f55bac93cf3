import SignetCoreFoundation

// What a search gives, how many items, and what may be asked of the owner meanwhile. The texts are Apple's.

/// How many items: `kSecMatchLimitOne` (if left out), `kSecMatchLimitAll`, or a number.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// One item, not in an array.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// All items, in an array.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether texts match whatever their case, a Bool.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// A condition for certificates and keys, of which there are none.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"

/// Whether the secret is wanted, a Bool.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether a dictionary of attributes is wanted, a Bool.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether a reference is wanted, a Bool: a `SecKey`. Passwords have none.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether data is wanted by which the item is found again, a Bool.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// The secret: Data of at most 65,536 bytes.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// A `SecKey` that is meant. Passwords have no reference.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// Data that `kSecReturnPersistentRef` gave.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

/// Items instead of the keychain's: not here.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// A keychain file: not here.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// Why the owner is asked, a string.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether nothing may be asked, a Bool.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether the owner may be asked: one of the `kSecUseAuthenticationUI` values.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The `LAContext` under which it is asked, and what it has proved.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether the newer keychain of macOS is meant, a Bool. There is one keychain here, which is like that one.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Whether the keychain of all users of an Apple TV is meant, a Bool. There is none here: each user has their own.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// The owner may be asked.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Nothing may be asked: `errSecInteractionNotAllowed` where something had to be.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Items for which something had to be asked are left out.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
