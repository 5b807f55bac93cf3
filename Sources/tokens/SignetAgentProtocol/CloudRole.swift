/// A role in a cloud, which whoever proves a web identity may take on for a while: as AWS has it (`AssumeRoleWithWebIdentity` of its
/// Security Token Service), and others after it.
public struct CloudRole: Codable, Equatable, Sendable {
  /// AWS's own token service, where none is named.
  public static let standardEndpoint = "https://sts.amazonaws.com"
  public static let standardSessionName = "signet"
  /// What AWS allows, in seconds.
  public static let durations = 900...43_200
  public static let standardDuration = 3600

  /// The role's name (ARN).
  public var name: String
  /// Under which name its use is logged there.
  public var sessionName: String
  /// The token service: a URL.
  public var endpoint: String
  /// For how many seconds.
  public var duration: Int

  public init(
    _ name: String, sessionName: String = CloudRole.standardSessionName, endpoint: String = CloudRole.standardEndpoint,
    duration: Int = CloudRole.standardDuration
  ) {
    self.name = name
    self.sessionName = sessionName
    self.endpoint = endpoint
    self.duration = duration
  }
}

/// What the token service gave for a role.
public struct RoleKeys: Codable, Equatable, Sendable {
  public var accessKeyID: String
  public var secretAccessKey: String
  public var sessionToken: String
  /// As the service wrote it: ISO 8601.
  public var expiration: String

  public init(accessKeyID: String, secretAccessKey: String, sessionToken: String, expiration: String) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.expiration = expiration
  }
}
