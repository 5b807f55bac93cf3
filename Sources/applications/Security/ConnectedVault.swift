import SignetContexts
import SignetCoreFoundation
import SignetMemory
import SignetVocabulary
import SignetWire

/// signetd's vault of the caller, through a context.
struct ConnectedVault: ItemVault, ~Copyable {
  private let context: ApplicationContext
  private(set) var host: OwnerPrompt

  init(_ context: ApplicationContext, _ host: consuming OwnerPrompt) {
    self.context = context
    self.host = host
  }

  mutating func items() throws(KeychainError) -> [ItemRow] {
    try ask { (connection, _) throws(ContextError) in try connection.list() }
  }

  mutating func value(of name: ItemName, mayAsk: Bool) throws(KeychainError) -> Data {
    try ask { (connection, host) throws(ContextError) in
      let value = try connection.read(name, mayInteract: mayAsk, &host)
      // From here on it is the program's, which has it as it has it on Apple's systems.
      return unsafe value.span.withUnsafeBytes { unsafe Data($0) }
    }
  }

  mutating func add(_ item: Item, _ value: Data) throws(KeychainError) {
    try ask { (connection, host) throws(ContextError) in try connection.add(item, value.span, &host) }
  }

  mutating func update(_ item: Item, _ value: Data) throws(KeychainError) {
    try ask { (connection, host) throws(ContextError) in try connection.update(item, value.span, &host) }
  }

  mutating func delete(_ name: ItemName) throws(KeychainError) {
    try ask { (connection, host) throws(ContextError) in try connection.delete(name, &host) }
  }

  mutating func makeKey(_ key: Item) throws(KeychainError) -> [UInt8] {
    try ask { (connection, host) throws(ContextError) in try connection.makeKey(key, &host) }
  }

  mutating func sign(_ digest: [UInt8], with name: ItemName, mayAsk: Bool) throws(KeychainError) -> [UInt8] {
    try ask { (connection, host) throws(ContextError) in try connection.sign(digest, with: name, mayInteract: mayAsk, &host) }
  }

  mutating func agree(with point: [UInt8], by name: ItemName, mayAsk: Bool) throws(KeychainError) -> P256.PrivateNumber {
    try ask { (connection, host) throws(ContextError) in
      P256.PrivateNumber(try connection.agree(with: point, by: name, mayInteract: mayAsk, &host))
    }
  }

  private mutating func ask<Value>(
    _ body: (inout ContextConnection, inout OwnerPrompt) throws(ContextError) -> Value
  ) throws(KeychainError) -> Value {
    do throws(ContextError) {
      return try context.request { (connection) throws(ContextError) in try body(&connection, &host) }
    } catch { throw KeychainError(ItemStatus(error).rawValue) }
  }
}
