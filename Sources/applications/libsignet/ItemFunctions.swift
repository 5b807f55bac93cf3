import CLinux
import CSignet

// The owner's items. What each function is for: signet.h.

@c(signet_item_add)
public func addItem(
  _ pointer: OpaquePointer, _ item: UnsafePointer<signet_item>, _ value: UnsafeRawPointer?, _ length: Int,
  _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe store(context, item, value, length, reason, error) { (item, value) throws(ContextError) in
    try context.connection.add(item, value, &context.host)
  }
}

@c(signet_item_update)
public func updateItem(
  _ pointer: OpaquePointer, _ item: UnsafePointer<signet_item>, _ value: UnsafeRawPointer?, _ length: Int,
  _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe store(context, item, value, length, reason, error) { (item, value) throws(ContextError) in
    try context.connection.update(item, value, &context.host)
  }
}

private func store(
  _ context: Context, _ item: UnsafePointer<signet_item>, _ value: UnsafeRawPointer?, _ length: Int,
  _ reason: UnsafePointer<CChar>?, _ error: ErrorPointer?, _ body: (Item, Span<UInt8>) throws(ContextError) -> Void
) -> Bool {
  unsafe succeeds(error) { () throws(Failure) in
    let item = try unsafe Item(item.pointee)
    let reason = try unsafe wellFormed(reason)
    guard length >= 0, length <= ItemLimit.value, unsafe value != nil || length == 0 else {
      throw .items(.parameter, detail: "A value has at most 65,536 bytes.")
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: length).bindMemory(to: UInt8.self)
    try ask(context, reason) { () throws(ContextError) in try unsafe body(item, bytes.span) }
  }
}

@c(signet_item_copy)
public func copyItem(
  _ pointer: OpaquePointer, _ kind: Int32, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ reason: UnsafePointer<CChar>?, _ length: UnsafeMutablePointer<Int>?, _ error: ErrorPointer?
) -> UnsafeMutableRawPointer? {
  let context = unsafe Context.at(pointer)
  var released: UnsafeMutableRawPointer?
  _ = unsafe succeeds(error) { () throws(Failure) in
    let name = try unsafe itemName(kind, service, account)
    let reason = try unsafe wellFormed(reason)
    try ask(context, reason) { () throws(ContextError) in
      let value = try context.connection.read(name, mayInteract: context.settings.mayInteract, &context.host)
      guard let buffer = unsafe Buffer.make(value.span) else { throw .noMemory }
      unsafe length?.pointee = value.count
      unsafe released = buffer
    }
  }
  return unsafe released
}

@c(signet_item_delete)
public func deleteItem(
  _ pointer: OpaquePointer, _ kind: Int32, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ error: ErrorPointer?
) -> Bool {
  unsafe settles(pointer, kind, service, account, error) { (context, name) throws(ContextError) in
    try context.connection.delete(name, &context.host)
  }
}

@c(signet_item_revoke)
public func revokeItem(
  _ pointer: OpaquePointer, _ kind: Int32, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ error: ErrorPointer?
) -> Bool {
  unsafe settles(pointer, kind, service, account, error) { (context, name) throws(ContextError) in
    try context.connection.revoke(name, &context.host)
  }
}

/// A request of one item that asks for nothing.
private func settles(
  _ pointer: OpaquePointer, _ kind: Int32, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?,
  _ error: ErrorPointer?, _ body: (Context, ItemName) throws(ContextError) -> Void
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    let name = try unsafe itemName(kind, service, account)
    try ask(context, "") { () throws(ContextError) in try body(context, name) }
  }
}

public typealias EachItem =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<signet_item>?, UnsafePointer<signet_item_facts>?
  ) -> Bool

@c(signet_item_list)
public func listItems(
  _ pointer: OpaquePointer, _ each: EachItem?, _ data: UnsafeMutableRawPointer?, _ error: ErrorPointer?
) -> Bool {
  let context = unsafe Context.at(pointer)
  return unsafe succeeds(error) { () throws(Failure) in
    var rows: [ItemRow] = []
    try ask(context, "") { () throws(ContextError) in rows = try context.connection.list() }
    // The context is free by now: the callback may use it.
    guard let each = unsafe each else { return }
    for row in rows where unsafe !tell(row, each, data) { return }
  }
}

/// Runs a request of items in a context of one thread at a time.
func ask(_ context: Context, _ reason: String, _ body: () throws(ContextError) -> Void) throws(Failure) {
  do throws(ContextError) {
    try context.alone { () throws(ContextError) in
      context.prepare(reason)
      try body()
    }
  } catch { throw .item(error) }
}

private func tell(_ row: ItemRow, _ each: EachItem, _ data: UnsafeMutableRawPointer?) -> Bool {
  let item = row.item
  return unsafe item.name.service.withCString { service in
    unsafe item.name.account.withCString { account in
      unsafe item.label.withCString { label in
        unsafe item.comment.withCString { comment in
          unsafe row.creator.withCString { creator in
            unsafe item.attributes.withUnsafeBufferPointer { attributes in
              var told = unsafe signet_item(
                kind: Int32(item.name.kind.rawValue), accessible: Int32(item.accessibility.rawValue), service: service,
                account: account, label: label, comment: comment,
                access_control: UInt32(truncatingIfNeeded: AccessFlags(item.accessControl).rawValue),
                attributes_length: UInt32(truncatingIfNeeded: attributes.count), attributes: attributes.baseAddress)
              var facts = unsafe signet_item_facts(
                created: row.created, modified: row.modified, is_lost: !row.isOfCurrentSet, creator: creator)
              return unsafe each(data, &told, &facts)
            }
          }
        }
      }
    }
  }
}

/// A program's text of an item.
func wellFormed(_ pointer: UnsafePointer<CChar>?) throws(Failure) -> String {
  do throws(Failure) { return try unsafe text(pointer) } catch { throw .items(.parameter, detail: "A text is not UTF-8.") }
}

func itemName(
  _ kind: Int32, _ service: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?
) throws(Failure) -> ItemName {
  let of: ItemName.Kind
  switch kind {
  case Int32(ItemName.Kind.item.rawValue): of = .item
  case Int32(ItemName.Kind.internetPassword.rawValue): of = .internetPassword
  case Int32(ItemName.Kind.synchronizableItem.rawValue): of = .synchronizableItem
  case Int32(ItemName.Kind.synchronizableInternetPassword.rawValue): of = .synchronizableInternetPassword
  // signetd knows what is not done with one.
  case Int32(ItemName.Kind.key.rawValue): of = .key
  default: throw .items(.parameter, detail: "There is no such kind of items.")
  }
  let name = ItemName(kind: of, service: try unsafe wellFormed(service), account: try unsafe wellFormed(account))
  guard name.isValid else { throw .items(.parameter, detail: "A service and an account have at most 256 bytes.") }
  return name
}

extension Item {
  init(_ item: signet_item) throws(Failure) {
    let name = try unsafe itemName(item.kind, item.service, item.account)
    guard let access = unsafe AccessFlags(rawValue: UInt64(item.access_control)).accessControl else {
      throw .items(.parameter, detail: "These access control flags do not go together, or one of them is not known.")
    }
    let asked = unsafe item.accessible
    guard let accessible = Accessibility(rawValue: asked == 0 ? 1 : UInt8(truncatingIfNeeded: asked)), asked < 4, asked >= 0
    else {
      throw .items(.parameter, detail: "There is no such accessibility.")
    }
    let count = unsafe Int(item.attributes_length)
    guard count <= ItemLimit.attributes, unsafe item.attributes != nil || count == 0 else {
      throw .items(.parameter, detail: "Attributes have at most 1,024 bytes.")
    }
    let attributes = unsafe Array(UnsafeBufferPointer(start: item.attributes, count: count))
    self.init(
      name, label: try unsafe wellFormed(item.label), comment: try unsafe wellFormed(item.comment), accessControl: access,
      accessibility: accessible, attributes: attributes)
    guard isValid else { throw .items(.parameter, detail: "A label and a comment have at most 1,024 bytes.") }
  }
}
