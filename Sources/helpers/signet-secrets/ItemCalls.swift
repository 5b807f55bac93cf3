import CBus

// The calls about items, of which each is a secret with what it is found by.
extension SecretService {
  struct Given {
    var label: String?
    var attributes: [Attribute]?
  }

  /// The properties of something new. Those that nobody here knows are left out.
  func properties(
    of call: Incoming, label: String, attributes: String?
  ) throws(CallError) -> Given {
    var given = Given()
    var count = 0
    guard try call.enter(UInt8(ascii: "a"), "{sv}") else { throw .badArguments }
    while try call.enter(UInt8(ascii: "e"), "sv") {
      count += 1
      guard count <= 16 else { throw .badArguments }
      let name = try call.text()
      if name == label {
        given.label = try call.inVariant("s") { () throws(CallError) in try call.text() }
      } else if let attributes, name == attributes {
        given.attributes = try call.inVariant("a{ss}") { () throws(CallError) in try call.attributes() }
      } else {
        try call.skip("v")
      }
      try call.exit()
    }
    try call.exit()
    return given
  }

  /// A secret of a message, and its content type.
  private func secret(
    of call: Incoming, _ client: Client, _ use: (borrowing SecretBytes, [UInt8]) throws(CallError) -> Void
  ) throws(CallError) {
    guard try call.enter(UInt8(ascii: "r"), "oayays") else { throw .badArguments }
    let session = try session(try call.path(), of: client)
    let start = try call.bytes()
    let value = try session.open(start, try call.bytes())
    let type = try call.bytesOfText()
    try call.exit()
    try use(value, type)
  }

  func createItem(_ call: Incoming, _ collection: StoredCollection, _ client: Client) throws(CallError) {
    try call.expect("a{sv}(oayays)b")
    try checkUnlocked()
    let given = try properties(of: call, label: Words.itemLabel, attributes: Words.itemAttributes)
    var path = ""
    var isNew = true
    try secret(of: call, client) { (value, type) throws(CallError) in
      let replaces = try call.flag()
      let kept = KeptAttributes(contentType: type, attributes: given.attributes ?? [])
      let present =
        replaces && !kept.attributes.isEmpty
        ? try vault.contents().items(of: collection.name).first { $0.kept.attributes == kept.attributes } : nil
      guard let id = present?.id ?? Catalog.newID() else { throw .noMemory }
      isNew = present == nil
      path = Catalog.path(of: collection.name, id)
      try vault.store(
        Item(
          Catalog.itemName(collection.name, id), label: given.label ?? "", accessibility: .afterFirstUnlock,
          attributes: try kept.bytes()), value, isNew: isNew)
    }
    tell(isNew ? "ItemCreated" : "ItemChanged", of: Words.collection, at: collection.path, about: path)
    if isNew { tellItems(of: collection.name) }
    let reply = Outgoing(to: call.message)
    reply.put(path: path)
    reply.put(path: "/")
    reply.send()
  }

  func serveItem(_ call: Incoming, _ method: String, _ item: StoredItem, _ client: Client) throws(CallError) {
    switch method {
    case "Delete": try deleteOrAsk(call, item.path, client)
    case "GetSecret":
      try call.expect("o")
      let session = try session(try call.path(), of: client)
      try checkUnlocked()
      let value = try vault.read(item.item.name)
      let reply = Outgoing(to: call.message)
      try session.put(value, contentType: item.kept.contentType, into: reply)
      reply.send()
    case "SetSecret":
      try call.expect("(oayays)")
      try checkUnlocked()
      try secret(of: call, client) { (value, type) throws(CallError) in
        var changed = item.item
        changed.attributes = try KeptAttributes(contentType: type, attributes: item.kept.attributes).bytes()
        try vault.store(changed, value, isNew: false)
      }
      tell("ItemChanged", of: Words.collection, at: Catalog.root + item.collection, about: item.path)
      Outgoing(to: call.message).send()
    default: throw .noMethod
    }
  }

  func set(_ property: String, of item: StoredItem, from call: Incoming) throws(CallError) {
    var changed = item.item
    switch property {
    case "Label": changed.label = try call.inVariant("s") { () throws(CallError) in try call.text() }
    case "Attributes":
      let attributes = try call.inVariant("a{ss}") { () throws(CallError) in try call.attributes() }
      changed.attributes = try KeptAttributes(contentType: item.kept.contentType, attributes: attributes).bytes()
    default: throw .readOnly
    }
    try checkUnlocked()
    let value = try vault.read(item.item.name)
    try vault.store(changed, value, isNew: false)
    tell("ItemChanged", of: Words.collection, at: Catalog.root + item.collection, about: item.path)
  }
}
