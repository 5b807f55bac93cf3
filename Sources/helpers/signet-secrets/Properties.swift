import CBus

// What can be asked of each place: its properties, and what it is.
extension Place {
  /// Its own; `nil` where there is nothing but what stands below.
  var interface: String? {
    switch self {
    case .service: Words.service
    case .folder: nil
    case .collection: Words.collection
    case .item: Words.item
    case .session: Words.session
    case .prompt: Words.prompt
    }
  }

  /// Their names.
  var properties: [String] {
    switch self {
    case .service: ["Collections"]
    case .collection: ["Items", "Label", "Locked", "Created", "Modified"]
    case .item: ["Locked", "Attributes", "Label", "Created", "Modified"]
    case .folder, .session, .prompt: []
    }
  }
}

extension SecretService {
  func serveProperties(_ call: Incoming, _ method: String, _ place: Place) throws(CallError) {
    guard let interface = place.interface else { throw .noInterface }
    switch method {
    case "Get": try call.expect("ss")
    case "GetAll": try call.expect("s")
    case "Set": try call.expect("ssv")
    default: throw .noMethod
    }
    let asked = try call.text()
    guard asked == interface || asked.isEmpty else { throw .noInterface }
    let reply = Outgoing(to: call.message)
    if method == "GetAll" {
      let contents = try vault.contents()
      reply.within(UInt8(ascii: "a"), "{sv}") {
        for name in place.properties {
          reply.within(UInt8(ascii: "e"), "sv") {
            reply.put(name)
            put(name, of: place, contents, into: reply)
          }
        }
      }
      return reply.send()
    }
    let name = try call.text()
    guard place.properties.contains(name) else { throw .noProperty }
    if method == "Set" {
      switch place {
      case .item(let item): try set(name, of: item, from: call)
      case .collection(let collection): try set(name, of: collection, from: call)
      default: throw .readOnly
      }
    } else {
      put(name, of: place, try vault.contents(), into: reply)
    }
    reply.send()
  }

  private func put(_ name: String, of place: Place, _ contents: Catalog, into reply: Outgoing) {
    switch (place, name) {
    case (.service, _): reply.variant("ao") { reply.put(paths: contents.collections.map { $0.path }) }
    case (.collection(let collection), "Items"):
      reply.variant("ao") { reply.put(paths: contents.items(of: collection.name).map { $0.path }) }
    case (.item(let item), "Attributes"): reply.variant("a{ss}") { reply.put(attributes: item.kept.attributes) }
    case (_, "Locked"): reply.variant("b") { reply.put(flag: isLocked) }
    case (.item(let item), "Label"): reply.variant("s") { reply.put(item.item.label) }
    case (.collection(let collection), "Label"): reply.variant("s") { reply.put(collection.label) }
    case (.item(let item), "Created"): reply.variant("t") { reply.put(number: item.created) }
    case (.item(let item), _): reply.variant("t") { reply.put(number: item.modified) }
    case (.collection(let collection), "Created"): reply.variant("t") { reply.put(number: collection.created) }
    case (.collection(let collection), _): reply.variant("t") { reply.put(number: collection.modified) }
    default: break
    }
  }

  /// To everybody who listens: which collections there are.
  func tellCollections() {
    guard let contents = try? vault.contents() else { return }
    tellChange(of: "Collections", Words.service, at: SecretService.root, "ao") {
      $0.put(paths: contents.collections.map { $0.path })
    }
  }

  func tellItems(of collection: String) {
    guard let contents = try? vault.contents() else { return }
    tellChange(of: "Items", Words.collection, at: Catalog.root + collection, "ao") {
      $0.put(paths: contents.items(of: collection).map { $0.path })
    }
  }

  /// To everybody who listens: a property's new value, which is of this type.
  func tellChange(of property: String, _ interface: String, at path: String, _ type: StaticString, _ value: (Outgoing) -> Void) {
    let signal = Outgoing(signal: "PropertiesChanged", of: Words.properties, at: path)
    signal.put(interface)
    signal.within(UInt8(ascii: "a"), "{sv}") {
      signal.within(UInt8(ascii: "e"), "sv") {
        signal.put(property)
        signal.variant(type) { value(signal) }
      }
    }
    signal.within(UInt8(ascii: "a"), "s") {}
    signal.send()
  }

  func introspect(_ call: Incoming, _ method: String, _ place: Place) throws(CallError) {
    guard method == "Introspect" else { throw .noMethod }
    try call.expect("")
    var nodes = ""
    let contents = try vault.contents()
    switch place {
    case .service: for name in ["collection", "aliases", "session", "prompt"] { nodes += "<node name='\(name)'/>" }
    case .collection(let collection):
      for item in contents.items(of: collection.name) { nodes += "<node name='\(item.id)'/>" }
    default: break
    }
    let reply = Outgoing(to: call.message)
    reply.put(
      "\(Words.head)\(place.interface == nil ? "" : "\(Words.propertiesWords)\(Words.words(of: place))")\(nodes)</node>\n")
    reply.send()
  }
}
