// SignetConfiguration is signet.conf(5): what may be set (`Key`, whose table is in `Keys.swift`), how values are spelled
// (`Form`), how lines are (`Line`), and the file as a whole (`ConfigurationFile`). signetd and `signet check-config` read it
// alike.
import SignetAuthentication

/// What signet.conf(5) sets. An unknown key or a bad value is an error that names file and line, and signetd does not
/// start: a lockout that is spelled wrong must not be a lockout that is off.
public struct Configuration: Equatable, Sendable {
  /// A virtual reader of libfprint; for tests and demonstrations, none by default.
  public struct VirtualReader: Equatable, Sendable {
    /// `device`, `storage` or `image`.
    public var kind: String
    /// The socket on which it takes fingers.
    public var path: String
  }

  /// What a `[service NAME]` section says; `nil` where it leaves the global value.
  public struct ServiceSettings: Equatable, Sendable {
    public var tries: Int?
    public var poorScans: Int?
  }

  public var virtualReaders: [VirtualReader] = []
  /// Whom signet-reader runs as where signetd runs as root.
  public var readerUser = "signet"
  /// The PAM service that checks passcodes.
  public var passcodeService = "signet-passcode"
  /// Where that service's file is; empty for the system's.
  public var passcodeConfdir = ""
  /// The numbers of the lockout rule, for services without a section of their own.
  public var limits = LockoutLimits()
  /// When the passcode is required, and how wrong ones are slowed down.
  public var rules = PasscodeRules()
  /// Whether locking a session (`loginctl lock-session`, a screen locker) requires the passcode as `signet lock` does.
  public var locksWithSession = false
  /// Whether a user's vault closes when their last session ends.
  public var vaultClosesWithSession = true
  /// Whether passcodes that are typed at the services below are kept as the login secret.
  public var keepsLoginSecret = false
  /// The PAM services to which a finger releases the login secret: those that begin a session with a keyring.
  public var loginSecretServices = ["login", "gdm-password", "gdm-fingerprint", "lightdm", "sddm", "greetd", "lxdm", "xdm"]
  /// The sections, by PAM service.
  public var services: [String: ServiceSettings] = [:]

  public init() {}

  /// Whether a finger releases the login secret to this PAM service.
  public func releasesLoginSecret(to service: String) -> Bool { loginSecretServices.contains(service.lowercased()) }

  /// The numbers for logins of this PAM service. PAM has service names in lower case only; others find the same section.
  public func limits(for service: String) -> LockoutLimits {
    var limits = limits
    guard let settings = services[service] ?? services[service.lowercased()] else { return limits }
    limits.missesPerEvaluation = settings.tries ?? limits.missesPerEvaluation
    limits.poorScansPerEvaluation = settings.poorScans ?? limits.poorScansPerEvaluation
    return limits
  }
}

/// What is wrong with a configuration, all of it.
public struct InvalidConfiguration: Error, Equatable {
  /// One error.
  public struct Problem: Equatable, Sendable {
    /// The line, from 1; `nil` where it is about the file as a whole.
    public var line: Int?
    /// What was found, and what is allowed.
    public var message: String
  }

  public var path: String
  /// In the order of lines; at least one.
  public var problems: [Problem]

  /// Each problem in a line of its own, with file and line.
  public var lines: [String] {
    problems.map { problem in "\(path):" + (problem.line.map { "\($0):" } ?? "") + " \(problem.message)" }
  }
}
