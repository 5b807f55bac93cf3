// What the commands are asked with (CTAP 2.1, section 6). What is missing, of another type or out of its range is refused here.

/// The platform's word that the user was verified: that the token it got is in its hands.
public struct Authorization: Equatable, Sendable {
  /// The platform's proof, made with the token.
  public var proof: [UInt8]
  /// The PIN/UV protocol, 1 or 2.
  public var version: Int

  /// `nil` where the platform has none.
  init?(_ request: CBOR, proof: Int, version: Int) throws(Status) {
    guard let bytes = request[proof] else { return nil }
    self.proof = try bytes.asBytes()
    // An empty one asks which key the user touches: there is no protocol in that.
    self.version = self.proof.isEmpty ? 0 : try Authorization.version(request[version])
  }

  static func version(_ value: CBOR?) throws(Status) -> Int {
    guard let value else { throw .missingParameter }
    let version = try value.asInt()
    guard version == 1 || version == 2 else { throw .invalidParameter }
    return version
  }
}

/// An account at a site, as the site calls it.
public struct Account: Equatable, Sendable {
  public var id: [UInt8]
  /// UTF-8, as is the next; empty for none. Cut to `nameLimit` bytes.
  public var name: [UInt8]
  public var displayName: [UInt8]

  public static let idLimit = 64
  public static let nameLimit = 64

  public init(id: [UInt8], name: [UInt8], displayName: [UInt8]) {
    (self.id, self.name, self.displayName) = (id, name, displayName)
  }

  init(_ value: CBOR) throws(Status) {
    guard let id = try value.asMap()["id"] else { throw .missingParameter }
    self.id = try id.asBytes()
    guard (1...Account.idLimit).contains(self.id.count) else { throw .invalidLength }
    name = Account.cut(try value["name"]?.asText())
    displayName = Account.cut(try value["displayName"]?.asText())
  }

  /// At a character's end.
  private static func cut(_ text: [UInt8]?) -> [UInt8] {
    var part = (text ?? []).prefix(nameLimit)
    guard let text, part.count < text.count else { return Array(part) }
    while let next = text.dropFirst(part.count).first, next & 0xC0 == 0x80 { part = part.dropLast() }
    return Array(part)
  }
}

/// The name of a site, as the platform says it: a domain, or whatever a program that is no browser makes of it.
public struct Site: Equatable, Sendable {
  public var id: [UInt8]

  /// A domain has no more, in bytes.
  public static let limit = 253

  public init(id: [UInt8]) { self.id = id }

  init(_ value: CBOR) throws(Status) {
    id = try value.asText()
    guard (1...Site.limit).contains(id.count) else { throw .invalidLength }
  }
}

public struct MakeCredential: Equatable, Sendable {
  public var clientDataHash: [UInt8]
  public var site: Site
  public var account: Account
  /// With one of these nothing is to be made.
  public var excluded: [[UInt8]]
  /// Whether it can be found without its name.
  public var isDiscoverable = false
  /// 1 to 3; `nil` where none was asked for.
  public var protection: Int?
  /// Whether the platform asked if secrets can be had of it (hmac-secret). They can of each.
  public var wantsSecrets = false
  public var authorization: Authorization?

  public init(_ request: CBOR) throws(Status) {
    guard let hash = request[1], let site = request[2], let account = request[3], let algorithms = request[4] else {
      throw .missingParameter
    }
    clientDataHash = try hashed(hash)
    guard let id = try site.asMap()["id"] else { throw .missingParameter }
    _ = try site["name"]?.asText()
    // Nothing here attests whose device it is.
    guard request[10] == nil else { throw .invalidParameter }
    self.site = try Site(id)
    self.account = try Account(account)
    guard try MakeCredential.hasOurs(algorithms) else { throw .unsupportedAlgorithm }
    excluded = try credentials(request[5])
    if let extensions = try request[6]?.asMap() {
      protection = try extensions["credProtect"]?.asInt()
      guard (1...3).contains(protection ?? 1) else { throw .invalidOption }
      wantsSecrets = try extensions["hmac-secret"]?.asBool() ?? false
    }
    if let options = try request[7]?.asMap() {
      isDiscoverable = try options["rk"]?.asBool() ?? false
      _ = try options["uv"]?.asBool()
      guard try options["up"]?.asBool() ?? true else { throw .invalidOption }
    }
    authorization = try Authorization(request, proof: 8, version: 9)
  }

  private static func hasOurs(_ algorithms: CBOR) throws(Status) -> Bool {
    var hasOurs = false
    for algorithm in try algorithms.asArray() {
      guard let number = try algorithm.asMap()["alg"], let type = algorithm["type"] else { throw .missingParameter }
      let (code, word) = (try number.asInt(), try type.asText())
      if code == PublicKey.es256, word == publicKey { hasOurs = true }
    }
    return hasOurs
  }
}

public struct GetAssertion: Equatable, Sendable {
  public var site: Site
  public var clientDataHash: [UInt8]
  /// Only one of these; `nil` for whichever can be found.
  public var allowed: [[UInt8]]?
  /// Whether the user has to be there. Otherwise it is only asked what there is.
  public var needsPresence = true
  /// From what secrets are wanted besides.
  public var salts: SealedSalts?
  public var authorization: Authorization?

  public init(_ request: CBOR) throws(Status) {
    guard let id = request[1], let hash = request[2] else { throw .missingParameter }
    site = try Site(id)
    clientDataHash = try hashed(hash)
    if let list = request[3] {
      let names = try credentials(list)
      allowed = names.isEmpty ? nil : names
    }
    if let salts = try request[4]?.asMap()["hmac-secret"] { self.salts = try SealedSalts(salts) }
    if let options = try request[5]?.asMap() {
      guard options["rk"] == nil else { throw .unsupportedOption }
      _ = try options["uv"]?.asBool()
      needsPresence = try options["up"]?.asBool() ?? true
      guard needsPresence || salts == nil else { throw .unsupportedOption }
    }
    authorization = try Authorization(request, proof: 6, version: 7)
  }
}

/// Salts, for the device alone (hmac-secret, CTAP 2.1, section 12.5).
public struct SealedSalts: Equatable, Sendable {
  /// Of the protocol, 1 or 2.
  public var version: Int
  /// x and y of the platform's key. Whether they are on the curve is not looked at here.
  public var point: [UInt8]
  public var sealed: [UInt8]
  /// That whoever agreed on a secret with the device sealed them.
  public var proof: [UInt8]

  /// Bytes of a salt, and of what the second protocol has before them.
  private static let salt = 32
  private static let start = 16

  init(_ request: CBOR) throws(Status) {
    guard let key = try request.asMap()[1], let sealed = request[2], let proof = request[3] else { throw .missingParameter }
    version = try Authorization.version(request[4] ?? .int(1))
    point = try PublicKey.point(ofAgreement: key)
    (self.sealed, self.proof) = (try sealed.asBytes(), try proof.asBytes())
    let count = self.sealed.count - (version == 2 ? SealedSalts.start : 0)
    guard count == SealedSalts.salt || count == 2 * SealedSalts.salt else { throw .invalidLength }
  }
}

/// Of clientPIN what there is without a PIN.
public enum ClientPIN: Equatable, Sendable {
  public struct Rights: OptionSet, Equatable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let make = Rights(rawValue: 1)
    public static let use = Rights(rawValue: 2)
    public static let manage = Rights(rawValue: 4)
  }

  case keyAgreement(version: Int)
  case token(version: Int, point: [UInt8], Rights, Site?)
  case retries

  public init(_ request: CBOR) throws(Status) {
    guard let subcommand = request[2] else { throw .missingParameter }
    switch try subcommand.asInt() {
    case 2: self = .keyAgreement(version: try Authorization.version(request[1]))
    case 6: self = try ClientPIN.token(request)
    case 7: self = .retries
    default: throw .invalidSubcommand
    }
  }

  private static func token(_ request: CBOR) throws(Status) -> ClientPIN {
    let version = try Authorization.version(request[1])
    guard let key = request[3], let number = request[9] else { throw .missingParameter }
    let rights = Rights(rawValue: try number.asInt())
    guard rights != [] else { throw .invalidParameter }
    guard rights.isSubset(of: [.make, .use, .manage]) else { throw .unauthorizedPermission }
    var site: Site?
    if let id = request[10] { site = try Site(id) }
    guard site != nil || rights == .manage else { throw .missingParameter }
    return .token(version: version, point: try PublicKey.point(ofAgreement: key), rights, site)
  }
}

/// Of credential management what there is.
public enum Management: Equatable, Sendable {
  case count
  case firstSite
  case nextSite
  /// SHA-256 of its name.
  case firstAccount([UInt8])
  case nextAccount
  case delete([UInt8])
  /// The account is called something else from now on.
  case rename([UInt8], Account)

  /// What was asked, and what it has to be authorized for; `nil` where that was done with the one before.
  public static func parsed(_ request: CBOR) throws(Status) -> (Management, Authorization?, message: [UInt8]) {
    guard let number = request[1] else { throw .missingParameter }
    let subcommand = try number.asInt()
    switch subcommand {
    case 3: return (.nextSite, nil, [])
    case 5: return (.nextAccount, nil, [])
    case 1...7: break
    default: throw .invalidSubcommand
    }
    guard let authorization = try Authorization(request, proof: 4, version: 3) else { throw .authorizationRequired }
    let parameters = try request[2]?.asMap()
    // What was read has one encoding, so this is what the platform wrote.
    return (try authorized(subcommand, parameters), authorization, [UInt8(subcommand)] + (parameters?.encoded ?? []))
  }

  private static func authorized(_ subcommand: Int, _ parameters: CBOR?) throws(Status) -> Management {
    switch subcommand {
    case 1: return .count
    case 2: return .firstSite
    case 4:
      guard let hash = parameters?[1] else { throw .missingParameter }
      return .firstAccount(try hashed(hash))
    case 6:
      guard let descriptor = parameters?[2] else { throw .missingParameter }
      return .delete(try credential(descriptor))
    case 7:
      guard let descriptor = parameters?[2], let account = parameters?[3] else { throw .missingParameter }
      return .rename(try credential(descriptor), try Account(account))
    default: throw .invalidSubcommand
    }
  }
}

private let publicKey = Array("public-key".utf8)

private func hashed(_ value: CBOR) throws(Status) -> [UInt8] {
  let hash = try value.asBytes()
  guard hash.count == 32 else { throw .invalidLength }
  return hash
}

/// The name in a credential's descriptor. One of another type is never ours.
private func credential(_ descriptor: CBOR) throws(Status) -> [UInt8] {
  guard let id = try descriptor.asMap()["id"], let type = descriptor["type"] else { throw .missingParameter }
  let name = try id.asBytes()
  return try type.asText() == publicKey ? name : []
}

private func credentials(_ list: CBOR?) throws(Status) -> [[UInt8]] {
  guard let list else { return [] }
  let values = try list.asArray()
  guard values.count <= Device.listLimit else { throw .limitExceeded }
  var names: [[UInt8]] = []
  for value in values { names.append(try credential(value)) }
  return names
}
