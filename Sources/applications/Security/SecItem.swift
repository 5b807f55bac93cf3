import SignetCoreFoundation

/// Stores a password, or a half of a key that lies in this process. What signetd holds is made there: `SecKeyCreateRandomKey`.
///
/// - Parameters:
///   - attributes: the class, what it is called and what is kept with it, and `kSecValueData`.
///   - result: where to put what the `kSecReturn` keys ask for.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` where there is one of that name, `errSecParam`, `errSecNoSuchAttr` or
///   `errSecNoSuchClass` where the dictionary is not valid, `errSecAuthFailed` or `errSecUserCanceled` where the vault had to be
///   opened and was not, `errSecNotAvailable` where signetd cannot be asked, and others.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  call(attributes, for: .add) { (keychain, query) throws(KeychainError) in
    let given = try keychain.add(query)
    if query.returns != [] { unsafe result?.pointee = given }
  }
}

/// Looks for passwords and keys, and releases what passwords hold. Blocks while the owner is asked.
///
/// - Parameter result: where to put what the `kSecReturn` keys ask for: one object, or an array under `kSecMatchLimitAll`.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecAuthFailed` where the owner did not prove what the item asks for,
///   `errSecUserCanceled`, `errSecInteractionNotAllowed` where they had to be asked and must not be, and others.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  call(query, for: .copy) { (keychain, query) throws(KeychainError) in
    let found = try keychain.copy(query)
    unsafe result?.pointee = found
  }
}

/// Changes all passwords or keys that match. Of keys the label alone can be changed: all else is `errSecUnimplemented`.
///
/// - Parameter attributesToUpdate: the new attributes, and `kSecValueData` for a new value.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecDuplicateItem` where the new name is taken, and others.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  call(query, for: .update) { (keychain, query) throws(KeychainError) in
    try keychain.update(query, ItemQuery(attributesToUpdate, for: .change, of: query.itemClass))
  }
}

/// As `SecItemUpdate`, and asks for nothing: for a token that is renewed while nobody is there, and is to be in the place of the old one
/// at once. Whoever may delete an item and store another one may do as much.
package func SecItemReplace(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  call(query, for: .update) { (keychain, query) throws(KeychainError) in
    try keychain.update(query, ItemQuery(attributesToUpdate, for: .change, of: query.itemClass), .unproved)
  }
}

/// Deletes all passwords or keys that match, or as many as `kSecMatchLimit` says. Nothing is asked.
///
/// - Returns: `errSecSuccess`; `errSecItemNotFound`, and others.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  call(query, for: .delete) { (keychain, query) throws(KeychainError) in try keychain.delete(query) }
}

private func call(
  _ dictionary: CFDictionary, for call: ItemQuery.Call,
  _ body: (inout OwnersKeychain, ItemQuery) throws(KeychainError) -> Void
) -> OSStatus {
  do throws(KeychainError) {
    let query = try ItemQuery(dictionary, for: call)
    try query.calls.make { (keychain) throws(KeychainError) in try body(&keychain, query) }
    return errSecSuccess
  } catch { return error.status }
}
