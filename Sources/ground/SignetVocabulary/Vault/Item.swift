/// What an item is called: unique among a user's items. Its text is the user's own: escape it before it is shown.
public struct ItemName: Hashable, Sendable {
  /// Of which kind it is.
  public enum Kind: UInt8, Hashable, Sendable {
    case item = 0
    /// The secret that a login by finger hands to the session's keyring. One a user.
    case loginSecret = 1
    /// A password of an internet service. What its service says of server, port and so on is for the clients to agree on.
    case internetPassword = 2
    /// What signs in at an identity provider: its issuer, and the account there. A finger at the seat that logs in or unlocks the
    /// screen releases it to the program that stored it.
    case binding = 3
    /// As `item`, and beside one of the same name: a program said that it may go to the user's other machines. It never does.
    case synchronizableItem = 4
    /// The same of an `internetPassword`.
    case synchronizableInternetPassword = 5
    /// A key that signs: its value is made in signetd, and never leaves it, but that of a passkey for another machine.
    case key = 6
    /// A half of a key that a program made or was given itself, as an item whose value are its bytes.
    case programKey = 7

    public var isSynchronizable: Bool { self == .synchronizableItem || self == .synchronizableInternetPassword }
    public var isInternetPassword: Bool { self == .internetPassword || self == .synchronizableInternetPassword }
  }

  public let kind: Kind
  /// What it is for; 0 to 256 bytes (none for the login secret).
  public let service: String
  /// Whose it is there; 0 to 256 bytes.
  public let account: String

  /// The name of an ordinary item.
  public init(service: String, account: String) { self.init(kind: .item, service: service, account: account) }

  /// The name of the user's login secret, which no ordinary item can have.
  public static let loginSecret = ItemName(kind: .loginSecret, service: "", account: "")

  /// The name of a passkey: a key that signs in to one site, by signet-passkey(8) alone.
  ///
  /// - Parameter credential: the credential's name, in hexadecimal digits.
  public static func passkey(_ credential: String) -> ItemName {
    ItemName(kind: .key, service: "signet-passkey", account: credential)
  }

  /// Whether it is one: such a key is not for whatever else signs by keys.
  public var isPasskey: Bool {
    // By bytes: to compare texts takes the tables of all of Unicode, which libraries for programs do without.
    kind == .key && !account.utf8.isEmpty && service.utf8.elementsEqual("signet-passkey".utf8)
  }

  /// Of any kind; see `isValid`.
  public init(kind: Kind, service: String, account: String) {
    self.kind = kind
    self.service = service
    self.account = account
  }

  /// Whether its texts are as long as they may be.
  public var isValid: Bool {
    switch kind {
    case .item, .internetPassword, .binding, .synchronizableItem, .synchronizableInternetPassword, .key, .programKey:
      service.utf8.count <= ItemLimit.name && account.utf8.count <= ItemLimit.name
    case .loginSecret: service.isEmpty && account.isEmpty
    }
  }
}

/// How much an item may hold, and how many there may be.
public enum ItemLimit {
  /// Bytes of a service or an account.
  public static let name = 256
  /// Bytes of a label or a comment.
  public static let text = 1024
  /// Bytes of an item's attributes.
  public static let attributes = 1024
  /// Bytes of what a program is called that stored an item or may read it.
  public static let program = 256
  /// Programs that may read an item besides the one that stored it.
  public static let others = 8
  /// Bytes of a value.
  public static let value = 65_536
  /// Items a user. The login secret may be one more.
  public static let items = 1024
  /// Bytes of a key's public point: 4, x and y, with the highest byte first.
  public static let publicKey = 65
  /// Bytes of what a key signs, which is SHA-256 of a message.
  public static let digest = 32
  /// Bytes of a signature: r and s, with the highest byte first.
  public static let signature = 64
  /// Bytes of what two keys agree on: x of a point.
  public static let agreement = 32
  /// Bytes of a salt, of which one or two are given at once, and of the secret that a passkey makes of it.
  public static let salt = 32
}

/// All about an item but its value: what `add` and `update` store.
public struct Item: Hashable, Sendable {
  public var name: ItemName
  /// How it is shown.
  public var label: String
  public var comment: String
  public var accessControl: AccessControl
  public var accessibility: Accessibility
  /// What else the clients know of it, in a form of their own; 0 to 1024 bytes. Kept sealed, as label and comment are. Of a key they
  /// are its public point, which signetd writes.
  public var attributes: [UInt8]

  public init(
    _ name: ItemName, label: String = "", comment: String = "", accessControl: AccessControl = AccessControl(),
    accessibility: Accessibility = .whenUnlocked, attributes: [UInt8] = []
  ) {
    self.name = name
    self.label = label
    self.comment = comment
    self.accessControl = accessControl
    self.accessibility = accessibility
    self.attributes = attributes
  }

  /// The login secret: for the fingers that are enrolled now, while there is a passcode.
  public static let loginSecret = Item(
    .loginSecret, label: "Login secret", accessControl: AccessControl(.biometryCurrentSet), accessibility: .whenPasscodeSet)

  /// Whether it may be stored.
  public var isValid: Bool {
    name.isValid && label.utf8.count <= ItemLimit.text && comment.utf8.count <= ItemLimit.text
      && attributes.count <= ItemLimit.attributes
      && accessControl.constraints.isSubset(of: .known)
      && (name.kind != .loginSecret || isLoginSecret)
      && (name.kind != .key || attributes.isEmpty || attributes.count == ItemLimit.publicKey)
  }

  /// Byte by byte: to compare texts as people read them takes tables of all of Unicode, which libsignet does without.
  private var isLoginSecret: Bool {
    let secret = Item.loginSecret
    return label.utf8.elementsEqual(secret.label.utf8) && comment.utf8.isEmpty && attributes.isEmpty
      && accessControl == secret.accessControl && accessibility == secret.accessibility
  }
}
