import CBus
import CCrypto

/// What a client opened to send and get secrets in, until it closes it or leaves the bus.
final class Session {
  let number: UInt32
  let owner: String
  /// What its secrets are enciphered with; `nil` where they go as they are.
  private let key: SecretBytes?

  var path: String { "/org/freedesktop/secrets/session/\(number)" }

  /// As they are.
  init(number: UInt32, owner: String) {
    self.number = number
    self.owner = owner
    key = nil
  }

  /// Enciphered, with a key that the two agree upon; `own` becomes what the other has to know.
  init(number: UInt32, owner: String, agreeingWith other: UnsafeRawBufferPointer, own: inout [UInt8]) throws(CallError) {
    self.number = number
    self.owner = owner
    guard var key = SecretBytes(capacity: Int(CDH_KEY)) else { throw .noMemory }
    own = [UInt8](repeating: 0, count: Int(CDH_PUBLIC))
    var result = Int32(CCRYPTO_REFUSED)
    let made = key.replace { buffer in
      guard let start = other.baseAddress else { return -1 }
      result = own.withUnsafeMutableBufferPointer {
        cdh_agree(
          start.assumingMemoryBound(to: UInt8.self), other.count, $0.baseAddress,
          buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
      return result == CCRYPTO_OK ? Int(CDH_KEY) : -1
    }
    self.key = consume key
    if result == CCRYPTO_NO_LIBRARY { throw .notSupported }
    guard made == Int(CDH_KEY) else { throw .badArguments }
  }

  /// Puts a secret into a message, as (oayays).
  func put(_ value: borrowing SecretBytes, contentType: [UInt8], into reply: Outgoing) throws(CallError) {
    guard var sealed = SecretBytes(capacity: value.count + Int(CDH_BLOCK)) else { throw .noMemory }
    var start: [UInt8] = []
    switch key {
    case .some(let key):
      start = [UInt8](repeating: 0, count: Int(CDH_BLOCK))
      let made = value.span.withUnsafeBufferPointer { clear in
        key.span.withUnsafeBufferPointer { key in
          sealed.replace { buffer in
            var count = 0
            let result = cdh_seal(
              key.baseAddress, clear.baseAddress, clear.count, &start, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
              &count)
            return result == CCRYPTO_OK ? count : -1
          }
        }
      }
      guard made > 0 else { throw .refused }
    case nil: guard sealed.append(value.span) else { throw .noMemory }
    }
    reply.hide()
    reply.within(UInt8(ascii: "r"), "oayays") {
      reply.put(path: path)
      start.withUnsafeBytes { reply.put(bytes: $0) }
      sealed.span.withUnsafeBytes { reply.put(bytes: $0) }
      reply.put(String(decoding: contentType, as: UTF8.self))
    }
  }

  /// What came in a message.
  func open(_ start: UnsafeRawBufferPointer, _ sealed: UnsafeRawBufferPointer) throws(CallError) -> SecretBytes {
    let most = ItemLimit.value + (key == nil ? 0 : Int(CDH_BLOCK))
    guard sealed.count <= most else { throw .tooLong("A secret has at most 65,536 bytes.") }
    guard var clear = SecretBytes(capacity: max(1, sealed.count)) else { throw .noMemory }
    let from = sealed.bindMemory(to: UInt8.self)
    switch key {
    case .some(let key):
      guard start.count == Int(CDH_BLOCK), let first = start.bindMemory(to: UInt8.self).baseAddress else { throw .badArguments }
      let made = key.span.withUnsafeBufferPointer { key in
        clear.replace { buffer in
          var count = 0
          let result = cdh_open(
            key.baseAddress, first, from.baseAddress, from.count, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
          return result == CCRYPTO_OK ? count : -1
        }
      }
      guard made >= 0 else { throw .badArguments }
    case nil:
      guard start.isEmpty, clear.append(Span(_unsafeElements: from)) else { throw .badArguments }
    }
    guard clear.count <= ItemLimit.value else { throw .tooLong("A secret has at most 65,536 bytes.") }
    return clear
  }
}

/// Somebody on the bus.
final class Client {
  let name: String
  /// Tells when they leave.
  let watch: UnsafeMutableRawPointer
  var sessions: [Session] = []
  var prompts: [PendingPrompt] = []

  init(name: String, watch: UnsafeMutableRawPointer) {
    self.name = name
    self.watch = watch
  }

  deinit { cbus_unwatch(watch) }
}
