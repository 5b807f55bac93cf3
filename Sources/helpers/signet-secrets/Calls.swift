import CBus

/// What stands at a path.
enum Place {
  case service
  /// It has nothing but what stands below it.
  case folder
  case collection(StoredCollection)
  case item(StoredItem)
  case session(Session)
  case prompt(PendingPrompt)
}

// The calls: where each leads, and what each does.
extension SecretService {
  func serve(_ message: OpaquePointer, _ client: Client) throws(CallError) {
    guard let path = sd_bus_message_get_path(message), let member = sd_bus_message_get_member(message) else { throw .noMethod }
    let call = Incoming(message: message)
    let place = try place(at: String(cString: path), for: client)
    let interface = sd_bus_message_get_interface(message).map { String(cString: $0) }
    let method = String(cString: member)
    if interface == "org.freedesktop.DBus.Introspectable" { return try introspect(call, method, place) }
    if interface == "org.freedesktop.DBus.Properties" { return try serveProperties(call, method, place) }
    let own = place.interface
    guard let own, interface == nil || interface == own else { throw .noInterface }
    switch place {
    case .service: try serveService(call, method, client)
    case .collection(let collection): try serveCollection(call, method, collection, client)
    case .item(let item): try serveItem(call, method, item, client)
    case .session(let session):
      guard method == "Close" else { throw .noMethod }
      try call.expect("")
      client.sessions.removeAll { $0 === session }
      Outgoing(to: message).send()
    case .prompt(let prompt): try servePrompt(call, method, prompt, client)
    case .folder: throw .noMethod
    }
  }

  /// Sessions and prompts are their client's alone.
  private func place(at path: String, for client: Client) throws(CallError) -> Place {
    let root = Array(SecretService.root.utf8)
    let bytes = Array(path.utf8)
    guard bytes.starts(with: root) else { throw .noObject }
    let parts = bytes.dropFirst(root.count).split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    guard let kind = parts.first else { return .service }
    if parts.count == 1, ["collection", "aliases", "session", "prompt"].contains(kind) { return .folder }
    guard parts.count == 2 || parts.count == 3 && kind != "session" && kind != "prompt" else { throw .noObject }
    switch kind {
    case "session":
      guard let session = client.sessions.first(where: { $0.path == path }) else { throw .noSession }
      return .session(session)
    case "prompt":
      guard let prompt = client.prompts.first(where: { $0.path == path }) else { throw .noObject }
      return .prompt(prompt)
    case "collection", "aliases":
      let contents = try vault.contents()
      let found = kind == "aliases" ? contents.collection(alias: parts[1]) : contents.collection(parts[1])
      guard let found else { throw .noObject }
      if parts.count == 2 { return .collection(found) }
      guard let item = contents.item(found.name, parts[2]) else { throw .noObject }
      return .item(item)
    default: throw .noObject
    }
  }

  private func session(_ path: String, of client: Client) throws(CallError) -> Session {
    guard let session = client.sessions.first(where: { $0.path == path }) else { throw .noSession }
    return session
  }

  // MARK: The service

  private func serveService(_ call: Incoming, _ method: String, _ client: Client) throws(CallError) {
    switch method {
    case "OpenSession": try openSession(call, client)
    case "SearchItems":
      try call.expect("a{ss}")
      let found = try search(try call.attributes(), in: nil)
      let reply = Outgoing(to: call.message)
      reply.put(paths: isLocked ? [] : found)
      reply.put(paths: isLocked ? found : [])
      reply.send()
    case "Unlock":
      let objects = try lockable(call)
      let prompt = isLocked && !objects.isEmpty ? try newPrompt(for: .unlock(objects), client) : "/"
      let reply = Outgoing(to: call.message)
      reply.put(paths: isLocked ? [] : objects)
      reply.put(path: prompt)
      reply.send()
    case "Lock":
      let objects = try lockable(call)
      // They are in one vault, which is locked as a whole.
      if !objects.isEmpty { lock() }
      let reply = Outgoing(to: call.message)
      reply.put(paths: objects)
      reply.put(path: "/")
      reply.send()
    case "GetSecrets": try sendSecrets(call, client)
    case "CreateCollection": try createCollection(call, client)
    case "ReadAlias":
      try call.expect("s")
      let found = try vault.contents().collection(alias: try call.text())
      let reply = Outgoing(to: call.message)
      reply.put(path: found?.path ?? "/")
      reply.send()
    case "SetAlias": try setAlias(call)
    default: throw .noMethod
    }
  }

  private func openSession(_ call: Incoming, _ client: Client) throws(CallError) {
    try call.expect("sv")
    guard client.sessions.count < SecretService.sessionLimit else { throw .crowded }
    let algorithm = try call.text()
    let reply = Outgoing(to: call.message)
    let session: Session
    switch algorithm {
    case "plain":
      _ = try call.inVariant("s") { () throws(CallError) in try call.text() }
      lastNumber &+= 1
      session = Session(number: lastNumber, owner: client.name)
      reply.variant("s") { reply.put("") }
    case "dh-ietf1024-sha256-aes128-cbc-pkcs7":
      var own: [UInt8] = []
      lastNumber &+= 1
      let number = lastNumber
      session = try call.inVariant("ay") { () throws(CallError) in
        try Session(number: number, owner: client.name, agreeingWith: try call.bytes(), own: &own)
      }
      reply.variant("ay") { own.withUnsafeBytes { reply.put(bytes: $0) } }
    default: throw .notSupported
    }
    client.sessions.append(session)
    reply.put(path: session.path)
    reply.send()
  }

  /// Everything that has these attributes.
  private func search(_ wanted: [Attribute], in collection: String?) throws(CallError) -> [String] {
    try vault.contents().items.filter { (collection == nil || $0.collection == collection) && $0.kept.includes(wanted) }
      .map { $0.path }
  }

  /// Of the objects of a call those that there are.
  private func lockable(_ call: Incoming) throws(CallError) -> [String] {
    try call.expect("ao")
    let contents = try vault.contents()
    let known = Set(
      contents.collections.map { $0.path } + contents.items.map { $0.path }
        + contents.collections.filter { !$0.alias.isEmpty }.map { SecretService.aliases + $0.alias } + [
          SecretService.aliases + "default", SecretService.aliases + Catalog.first,
        ])
    return try call.paths(limit: ItemLimit.items + Catalog.collectionLimit).filter { known.contains($0) }
  }

  private static var aliases: String { "/org/freedesktop/secrets/aliases/" }

  private func sendSecrets(_ call: Incoming, _ client: Client) throws(CallError) {
    try call.expect("aoo")
    let paths = try call.paths(limit: ItemLimit.items)
    let session = try session(try call.path(), of: client)
    let contents = try vault.contents()
    let reply = Outgoing(to: call.message)
    var failure: CallError?
    reply.within(UInt8(ascii: "a"), "{o(oayays)}") {
      for item in contents.items where !isLocked && paths.contains(item.path) {
        do throws(CallError) {
          let value = try vault.read(item.item.name)
          var inner: CallError?
          reply.within(UInt8(ascii: "e"), "o(oayays)") {
            reply.put(path: item.path)
            do throws(CallError) { try session.put(value, contentType: item.kept.contentType, into: reply) } catch {
              inner = error
            }
          }
          if let inner { throw inner }
        } catch {
          // One that was deleted or locked meanwhile is left out, as one that never was there.
          if error.name.text != CallError.isLocked.name.text, error.name.text != CallError.noObject.name.text { failure = error }
        }
      }
    }
    if let failure { throw failure }
    reply.send()
  }

  // MARK: Collections

  private func createCollection(_ call: Incoming, _ client: Client) throws(CallError) {
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

  private func setAlias(_ call: Incoming) throws(CallError) {
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

  private func serveCollection(
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

  private func deleteOrAsk(_ call: Incoming, _ path: String, _ client: Client) throws(CallError) {
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

  // MARK: Items

  private struct Given {
    var label: String?
    var attributes: [Attribute]?
  }

  /// The properties of something new. Those that nobody here knows are left out.
  private func properties(
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

  private func createItem(_ call: Incoming, _ collection: StoredCollection, _ client: Client) throws(CallError) {
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

  private func serveItem(_ call: Incoming, _ method: String, _ item: StoredItem, _ client: Client) throws(CallError) {
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

  private func servePrompt(_ call: Incoming, _ method: String, _ prompt: PendingPrompt, _ client: Client) throws(CallError) {
    switch method {
    case "Prompt":
      // The window that it asks for is of no use: signet-prompt(8) has its own.
      try call.expect("s")
      guard !prompt.isAsked else { throw .badArguments }
      Outgoing(to: call.message).send()
      ask(for: prompt, of: client)
    case "Dismiss":
      try call.expect("")
      Outgoing(to: call.message).send()
      dismiss(prompt, of: client)
    default: throw .noMethod
    }
  }

  // MARK: Properties that are set

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

  func set(_ property: String, of collection: StoredCollection, from call: Incoming) throws(CallError) {
    guard property == "Label" else { throw .readOnly }
    var changed = collection
    changed.label = try call.inVariant("s") { () throws(CallError) in try call.text() }
    try checkUnlocked()
    try keep(changed)
    tell("CollectionChanged", of: Words.service, at: SecretService.root, about: collection.path)
  }
}
