#if !hasFeature(Embedded)
  import SignetBytes
#endif

/// A passkey, as it is kept: a key of signetd's, whose comment has what belongs to it.
public struct StoredCredential: Equatable, Sendable {
  public var name: [UInt8]
  public var site: Site
  public var account: Account
  public var isDiscoverable: Bool
  /// credProtect, 1 to 3 (CTAP 2.1, section 12.1).
  public var protection: Int
  /// x and y of its public point.
  public var point: [UInt8]

  public init(
    name: [UInt8], site: Site, account: Account, isDiscoverable: Bool, protection: Int = 1, point: [UInt8] = []
  ) {
    (self.name, self.site, self.account) = (name, site, account)
    (self.isDiscoverable, self.protection, self.point) = (isDiscoverable, protection, point)
  }

  /// What the vault keeps beside the key, as text: CBOR in hexadecimal digits. At most 1,024 bytes, by the limits of what is in it.
  public var comment: String {
    CBOR.numbered([
      (1, .text(site.id)), (2, .bytes(account.id)), (3, .text(account.name)), (4, .text(account.displayName)),
      (5, .bool(isDiscoverable)), (6, .int(protection)),
    ]).encoded.hexadecimal
  }

  /// What it is called as long as the user calls it nothing else.
  public var label: String { String(decoding: ShownName.line(site, account), as: UTF8.self) }

  /// `nil` where it is none.
  ///
  /// - Parameters:
  ///   - account: the name, in hexadecimal digits.
  ///   - publicKey: 4, x and y.
  public init?(account word: String, comment: String, publicKey: [UInt8]) {
    guard let name = StoredCredential.bytes(of: word), name.count == Device.credentialLength, publicKey.count == 65,
      let bytes = StoredCredential.bytes(of: comment)
    else { return nil }
    do throws(Status) {
      let kept = try CBOR(bytes)
      guard let id = kept[1], let user = kept[2], let short = kept[3], let long = kept[4], let isFound = kept[5],
        let protection = kept[6]
      else { return nil }
      self.init(
        name: name, site: Site(id: try id.asText()),
        account: Account(id: try user.asBytes(), name: try short.asText(), displayName: try long.asText()),
        isDiscoverable: try isFound.asBool(), protection: try protection.asInt(), point: Array(publicKey.dropFirst()))
    } catch { return nil }
  }

  private static func bytes(of digits: String) -> [UInt8]? {
    let digits = Array(digits.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Whether it may be told of (credProtect): where the user was not verified some are not, or not to whom does not know their names.
  public func isShown(isVerified: Bool, isNamed: Bool) -> Bool {
    isVerified || protection < 2 || protection == 2 && isNamed
  }
}

/// What the user is shown of a site and an account, which are others' words.
public enum ShownName {
  /// As much as a line can have, in characters.
  private static let siteLimit = 60
  private static let accountLimit = 80

  /// The end stays, which says whose a domain is; and no character that could look like another.
  public static func site(_ site: Site) -> [UInt8] {
    let shown: [UInt8] = site.id.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        byte
      default: UInt8(ascii: "?")
      }
    }
    return shown.count <= siteLimit ? shown : Array("...".utf8) + shown.suffix(siteLimit - 3)
  }

  /// What the account is called, without what could harm; empty where it is called nothing.
  public static func account(_ account: Account) -> [UInt8] {
    let name = account.name.isEmpty ? account.displayName : account.name
    var shown: [UInt8] = []
    for scalar in String(decoding: name, as: UTF8.self).unicodeScalars where ForeignText.isHarmless(scalar.value) {
      let bytes = Array(String(scalar).utf8)
      guard shown.count + bytes.count <= accountLimit else { break }
      shown += bytes
    }
    return shown
  }

  /// The site and, where there is one, the account in brackets.
  public static func line(_ site: Site, _ account: Account?) -> [UInt8] {
    let shown = account.map(self.account) ?? []
    return self.site(site) + (shown.isEmpty ? [] : Array(" (".utf8) + shown + Array(")".utf8))
  }
}
