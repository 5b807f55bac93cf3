import CBus

// What is read from messages and written into them. sd-bus checks each against the signature, and texts for UTF-8.

/// A message that somebody sent; each call takes what comes next in it.
struct Incoming {
  let message: OpaquePointer

  /// How many bytes of attributes are read before they are too many.
  private static let attributesLimit = 4096

  func expect(_ signature: StaticString) throws(CallError) {
    guard sd_bus_message_has_signature(message, signature.text) > 0 else { throw .badArguments }
  }

  /// Texts are 's' or 'o'.
  func text(_ kind: UInt8 = UInt8(ascii: "s")) throws(CallError) -> String { String(cString: try pointer(kind)) }

  func path() throws(CallError) -> String { try text(UInt8(ascii: "o")) }

  func bytesOfText() throws(CallError) -> [UInt8] {
    let text = try pointer(UInt8(ascii: "s"))
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  private func pointer(_ kind: UInt8) throws(CallError) -> UnsafePointer<CChar> {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, CChar(kind), &text) > 0, let text else { throw .badArguments }
    return text
  }

  func flag() throws(CallError) -> Bool {
    var flag: Int32 = 0
    guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &flag) > 0 else { throw .badArguments }
    return flag != 0
  }

  /// Lent until the message goes.
  func bytes() throws(CallError) -> UnsafeRawBufferPointer {
    var start: UnsafeRawPointer?
    var count = 0
    guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0 else { throw .badArguments }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// False at the end of an array.
  func enter(_ kind: UInt8, _ contents: StaticString) throws(CallError) -> Bool {
    let result = sd_bus_message_enter_container(message, CChar(kind), contents.text)
    guard result >= 0 else { throw .badArguments }
    return result > 0
  }

  func exit() throws(CallError) { guard sd_bus_message_exit_container(message) >= 0 else { throw .badArguments } }

  func skip(_ contents: StaticString) throws(CallError) {
    guard sd_bus_message_skip(message, contents.text) >= 0 else { throw .badArguments }
  }

  /// Whether a variant of this type comes next.
  func isVariant(of contents: StaticString) -> Bool {
    sd_bus_message_verify_type(message, CChar(UInt8(ascii: "v")), contents.text) > 0
  }

  func inVariant<Value>(
    _ contents: StaticString, _ read: () throws(CallError) -> Value
  ) throws(CallError) -> Value {
    guard isVariant(of: contents), try enter(UInt8(ascii: "v"), contents) else { throw .badArguments }
    let value = try read()
    try exit()
    return value
  }

  func paths(limit: Int) throws(CallError) -> [String] {
    var paths: [String] = []
    guard try enter(UInt8(ascii: "a"), "o") else { throw .badArguments }
    while true {
      var text: UnsafePointer<CChar>?
      let result = sd_bus_message_read_basic(message, CChar(UInt8(ascii: "o")), &text)
      guard result >= 0 else { throw .badArguments }
      guard result > 0, let text else { break }
      guard paths.count < limit else { throw .tooLong("There are too many objects in it.") }
      paths.append(String(cString: text))
    }
    try exit()
    return paths
  }

  /// Names are there once each.
  func attributes() throws(CallError) -> [Attribute] {
    var attributes: [Attribute] = []
    var size = 0
    guard try enter(UInt8(ascii: "a"), "{ss}") else { throw .badArguments }
    while try enter(UInt8(ascii: "e"), "ss") {
      let attribute = Attribute(name: try bytesOfText(), value: try bytesOfText())
      size += attribute.name.count + attribute.value.count + 4
      guard size <= Incoming.attributesLimit else {
        throw .tooLong("An item's attributes and content type have about 1,000 bytes at most.")
      }
      guard !attributes.contains(where: { $0.name == attribute.name }) else { throw .badArguments }
      attributes.append(attribute)
      try exit()
    }
    try exit()
    return attributes
  }
}

/// A message that is written. What fails once makes the rest fail, and nothing is sent then.
final class Outgoing {
  private var message: OpaquePointer?
  private var isWhole = true

  /// The answer to a call.
  init(to call: OpaquePointer) {
    isWhole = sd_bus_message_new_method_return(call, &message) >= 0
  }

  /// A signal; to one name on the bus, or to everybody who listens.
  init(signal: StaticString, of interface: String, at path: String, to receiver: String? = nil) {
    isWhole = sd_bus_message_new_signal(cbus_connection(), &message, path, interface, signal.text) >= 0
    if let receiver { note(receiver.withCString { sd_bus_message_set_destination(message, $0) }) }
  }

  deinit { sd_bus_message_unref(message) }

  func send() {
    if isWhole { sd_bus_send(nil, message, nil) }
  }

  /// What is in it is wiped where it is freed.
  func hide() { note(sd_bus_message_sensitive(message)) }

  private func note(_ result: Int32) { if result < 0 { isWhole = false } }

  func put(_ text: String, _ kind: UInt8 = UInt8(ascii: "s")) {
    guard isWhole else { return }
    text.withCString { note(sd_bus_message_append_basic(message, CChar(kind), $0)) }
  }

  func put(path: String) { put(path, UInt8(ascii: "o")) }

  func put(flag: Bool) {
    guard isWhole else { return }
    var value: Int32 = flag ? 1 : 0
    note(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &value))
  }

  func put(number: UInt64) {
    guard isWhole else { return }
    var value = number
    note(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "t")), &value))
  }

  func put(bytes: UnsafeRawBufferPointer) {
    guard isWhole else { return }
    note(sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), bytes.baseAddress, bytes.count))
  }

  func within(_ kind: UInt8, _ contents: StaticString, _ body: () -> Void) {
    guard isWhole else { return }
    note(sd_bus_message_open_container(message, CChar(kind), contents.text))
    body()
    if isWhole { note(sd_bus_message_close_container(message)) }
  }

  func variant(_ contents: StaticString, _ body: () -> Void) { within(UInt8(ascii: "v"), contents, body) }

  func put(paths: [String]) {
    within(UInt8(ascii: "a"), "o") { for path in paths { put(path: path) } }
  }

  func put(attributes: [Attribute]) {
    within(UInt8(ascii: "a"), "{ss}") {
      for attribute in attributes {
        within(UInt8(ascii: "e"), "ss") {
          put(String(decoding: attribute.name, as: UTF8.self))
          put(String(decoding: attribute.value, as: UTF8.self))
        }
      }
    }
  }
}

extension StaticString {
  /// Lent to C for good.
  var text: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
