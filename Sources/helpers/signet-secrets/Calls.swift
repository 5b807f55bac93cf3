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

// The calls: where each leads, and what those of the service, of sessions and of prompts do.
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

  func session(_ path: String, of client: Client) throws(CallError) -> Session {
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
  func search(_ wanted: [Attribute], in collection: String?) throws(CallError) -> [String] {
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
}
