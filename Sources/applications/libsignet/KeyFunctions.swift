import CLinux
import CSignet

// Keys that sign and agree. What each function is for: signet.h.

@c(signet_key_create)
public func createKey(
  _ pointer: OpaquePointer, _ key: UnsafePointer<signet_item>, _ reason: UnsafePointer<CChar>?,
  _ publicKey: UnsafeMutablePointer<UInt8>?, _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let key = try unsafe Item(key.pointee)
    guard key.name.kind == .key, key.attributes.isEmpty else {
      throw .items(.parameter, detail: "A key is of the kind SIGNET_ITEM_KEY, and has no attributes of a program's.")
    }
    let place = try unsafe given(publicKey, count: ItemLimit.publicKey)
    let reason = try unsafe wellFormed(reason)
    try ask(context, reason) { () throws(ContextError) in
      let point = try context.connection.makeKey(key, &context.host)
      _ = unsafe place.update(from: point)
    }
  }
}

@c(signet_key_sign)
public func signByKey(
  _ pointer: OpaquePointer, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ digest: UnsafePointer<UInt8>?, _ reason: UnsafePointer<CChar>?, _ signature: UnsafeMutablePointer<UInt8>?,
  _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let name = try unsafe itemName(Int32(ItemName.Kind.key.rawValue), service, account)
    guard let digest = unsafe digest else { throw .items(.parameter, detail: missing) }
    let bytes = unsafe Array(UnsafeBufferPointer(start: digest, count: ItemLimit.digest))
    let place = try unsafe given(signature, count: ItemLimit.signature)
    let reason = try unsafe wellFormed(reason)
    try ask(context, reason) { () throws(ContextError) in
      let signed = try context.connection.sign(bytes, with: name, mayInteract: context.settings.mayInteract, &context.host)
      _ = unsafe place.update(from: signed)
    }
  }
}

@c(signet_key_agree)
public func agreeByKey(
  _ pointer: OpaquePointer, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ publicKey: UnsafePointer<UInt8>?, _ reason: UnsafePointer<CChar>?, _ secret: UnsafeMutablePointer<UInt8>?,
  _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let name = try unsafe itemName(Int32(ItemName.Kind.key.rawValue), service, account)
    guard let publicKey = unsafe publicKey else { throw .items(.parameter, detail: missing) }
    guard unsafe publicKey.pointee == 4 else { throw .items(.parameter, detail: "A public key is 4, x and y.") }
    let point = unsafe Array(UnsafeBufferPointer(start: publicKey, count: ItemLimit.publicKey))
    let place = try unsafe given(secret, count: ItemLimit.agreement)
    let reason = try unsafe wellFormed(reason)
    try ask(context, reason) { () throws(ContextError) in
      let agreed = try context.connection.agree(
        with: point, by: name, mayInteract: context.settings.mayInteract, &context.host)
      for index in agreed.span.indices { unsafe place[index] = agreed.span[index] }
    }
  }
}

private var missing: StaticString { "A pointer is missing." }

/// Where an answer goes.
private func given(
  _ pointer: UnsafeMutablePointer<UInt8>?, count: Int
) throws(Failure) -> UnsafeMutableBufferPointer<UInt8> {
  guard let pointer = unsafe pointer else { throw .items(.parameter, detail: missing) }
  return unsafe UnsafeMutableBufferPointer(start: pointer, count: count)
}
