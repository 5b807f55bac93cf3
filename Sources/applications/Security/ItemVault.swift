import SignetCoreFoundation
import SignetVocabulary
import SignetWire

/// The vault under the keychain: what signetd keeps of the owner's items. Each call is one request, and may ask the owner.
protocol ItemVault: ~Copyable {
  /// All about all items but their values. Asks for nothing.
  mutating func items() throws(KeychainError) -> [ItemRow]
  /// The value of an item; `errSecInteractionNotAllowed` where the owner would have to be asked and must not be.
  mutating func value(of name: ItemName, mayAsk: Bool) throws(KeychainError) -> Data
  mutating func add(_ item: Item, _ value: Data) throws(KeychainError)
  mutating func update(_ item: Item, _ value: Data) throws(KeychainError)
  mutating func delete(_ name: ItemName) throws(KeychainError)
  /// Makes a key. Returns its public point: 4, x and y.
  mutating func makeKey(_ key: Item) throws(KeychainError) -> [UInt8]
  /// r and s of the signature of `ItemLimit.digest` bytes.
  mutating func sign(_ digest: [UInt8], with name: ItemName, mayAsk: Bool) throws(KeychainError) -> [UInt8]
  /// x of what a key and another's point, which is on the curve, agree on.
  mutating func agree(with point: [UInt8], by name: ItemName, mayAsk: Bool) throws(KeychainError) -> P256.PrivateNumber
}
