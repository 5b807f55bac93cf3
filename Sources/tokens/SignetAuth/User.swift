/// Who is signed in, as the server says.
public struct User: Equatable, Hashable, Sendable, Codable {
  /// What does not change at this server: `sub`, or the account's number.
  public let id: String
  /// A name for people, where the server gave one.
  public let name: String?

  public init(id: String, name: String? = nil) {
    self.id = id
    self.name = name
  }
}
