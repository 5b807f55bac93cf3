import CBus

// The calls about collections: to make, find, change and delete them.
extension SecretService {
  func createCollection(_ call: Incoming, _ client: Client) throws(CallError) {
    try call.expect("a{sv}s")
    let label = try properties(of: call, label: Words.collectionLabel, attributes: nil).label ?? ""
    let alias = try call.text()
    guard label.utf8.count <= ItemLimit.text, alias.isEmpty || Catalog.isWord(alias) else { throw .badArguments }
    let reply = Outgoing(to: call.message)
    let present = try vault.contents().collection(alias: alias)
    if let present {
      // Who wants a default collection has one.
      reply.put(path: present.path)
      reply.put(path: "/")
    } else if isLocked {
      reply.put(path: "/")
      reply.put(path: try newPrompt(for: .create(label: label, alias: alias), client))
    } else {
      reply.put(path: try createCollection(label, alias))
      reply.put(path: "/")
    }
    reply.send()
  }

  /// Its path.
  func createCollection(_ label: String, _ alias: String) throws(CallError) -> String {
    guard let name = try vault.contents().newName(for: label) else { throw .crowded }
    try keep(StoredCollection(name: name, label: label, alias: alias))
    let path = Catalog.root + name
    tell("CollectionCreated", of: Words.service, at: SecretService.root, about: path)
    tellCollections()
    return path
  }

  /// Stores a collection's record.
  private func keep(_ collection: StoredCollection) throws(CallError) {
    guard let none = SecretBytes(capacity: 1) else { throw .noMemory }
    let record = Catalog.record(collection.name, label: collection.label, alias: collection.alias)
    try vault.store(record, none, isNew: !collection.hasRecord)
  }

  func setAlias(_ call: Incoming) throws(CallError) {
    try call.expect("so")
    let alias = try call.text()
    let path = try call.path()
    guard Catalog.isWord(alias) else { throw .badArguments }
    let contents = try vault.contents()
    let target = contents.collections.first { $0.path == path }
    guard target != nil || path == "/" else { throw .noObject }
    if alias == "default" {
      guard target?.name == Catalog.first else { throw .otherDefault }
    } else {
      try checkUnlocked()
      for var other in contents.collections where other.alias == alias && other.name != target?.name {
        other.alias = ""
        try keep(other)
      }
      if var target, target.alias != alias {
        target.alias = alias
        try keep(target)
      }
    }
    Outgoing(to: call.message).send()
  }

  func serveCollection(
    _ call: Incoming, _ method: String, _ collection: StoredCollection, _ client: Client
  ) throws(CallError) {
    switch method {
    case "Delete": try deleteOrAsk(call, collection.path, client)
    case "SearchItems":
      try call.expect("a{ss}")
      let found = try search(try call.attributes(), in: collection.name)
      let reply = Outgoing(to: call.message)
      reply.put(paths: found)
      reply.send()
    case "CreateItem": try createItem(call, collection, client)
    default: throw .noMethod
    }
  }

  func deleteOrAsk(_ call: Incoming, _ path: String, _ client: Client) throws(CallError) {
    try call.expect("")
    let reply = Outgoing(to: call.message)
    if isLocked {
      reply.put(path: try newPrompt(for: .delete(path), client))
    } else {
      try delete(path)
      reply.put(path: "/")
    }
    reply.send()
  }

  /// An item, or a collection with all that is in it: its record last, so that what a cut leaves is still a collection.
  func delete(_ path: String) throws(CallError) {
    let contents = try vault.contents()
    if let item = contents.items.first(where: { $0.path == path }) {
      try vault.delete(item.item.name)
      tell("ItemDeleted", of: Words.collection, at: Catalog.root + item.collection, about: path)
      return tellItems(of: item.collection)
    }
    guard let collection = contents.collections.first(where: { $0.path == path }) else { throw .noObject }
    for item in contents.items(of: collection.name) {
      try vault.delete(item.item.name)
      tell("ItemDeleted", of: Words.collection, at: path, about: item.path)
    }
    if collection.hasRecord { try vault.delete(Catalog.itemName(collection.name, "")) }
    // The first one is always there. A window that heard nothing of its items would go on showing them.
    guard collection.name != Catalog.first else {
      tellItems(of: collection.name)
      return tell("CollectionChanged", of: Words.service, at: SecretService.root, about: path)
    }
    tell("CollectionDeleted", of: Words.service, at: SecretService.root, about: path)
    tellCollections()
  }

  func set(_ property: String, of collection: StoredCollection, from call: Incoming) throws(CallError) {
    guard property == "Label" else { throw .readOnly }
    var changed = collection
    changed.label = try call.inVariant("s") { () throws(CallError) in try call.text() }
    try checkUnlocked()
    try keep(changed)
    tell("CollectionChanged", of: Words.service, at: SecretService.root, about: collection.path)
  }
}
