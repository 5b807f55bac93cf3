// SignetConfiguration reads signet.conf(5), for signetd and for `signet check-config` alike. `Keys.swift` has the table of what
// can be set (`Key`). `Form` is how a value is spelled, `Line` how a line is, and `ConfigurationFile` the file as a whole.
import SignetAuthentication
import SignetVocabulary

/// What signet.conf(5) sets. An unknown key or a bad value is an error that names file and line, and signetd does not start
/// with it: a misspelled lockout rule must not silently become one that is off.
public struct Configuration: Equatable, Sendable {
  /// A virtual reader of libfprint, for tests and demonstrations. There is none by default.
  public struct VirtualReader: Equatable, Sendable {
    /// `device`, `storage` or `image`.
    public var kind: String
    /// The socket on which it takes fingers.
    public var path: String
  }

  /// What a `[service NAME]` section says; `nil` where the global value holds for the service too.
  public struct ServiceSettings: Equatable, Sendable {
    public var tries: Int?
    public var poorScans: Int?
    public var allows: Allowance?
    public var prompt: PromptOrder?
    public var fingerTimeout: UInt64?
    public var getsToken: Bool?
  }

  /// For whose login a finger is asked for.
  public var fingerFor = FingerFor.own
  /// The PAM services that open or unlock sessions at the seat, and come from nobody's login themselves.
  public var seatServices = ["login", "gdm-password", "gdm-fingerprint", "lightdm", "sddm", "greetd", "lxdm", "xdm"]
  /// logind's name of the seat where the readers are.
  public var readerSeat = "seat0"
  /// What a closed lid means for the finger.
  public var lid = LidRule.auto
  /// The readers that a finger is asked for on; empty for every one on which the user has a finger.
  public var readers: [String] = []
  public var virtualReaders: [VirtualReader] = []
  /// The user that signet-reader runs as where signetd runs as root.
  public var readerUser = "signet"
  /// The PAM service that checks passcodes.
  public var passcodeService = "signet-passcode"
  /// The directory with that service's file; empty for the system's directories.
  public var passcodeConfdir = ""
  /// The numbers of the lockout rule, for services without a section of their own.
  public var limits = LockoutLimits()
  /// When the passcode is required, and how wrong ones are slowed down.
  public var rules = PasscodeRules()
  /// How long a finger is waited for in one attempt at most, in seconds, whatever the asker wants.
  public var fingerTimeout: UInt64 = 60
  /// Whether a login gets a token for its session.
  public var getsToken = true
  /// What logins take for a proof, and in which order they ask, for services that need nothing else.
  public var allows = Allowance.fingerOrPasscode
  public var prompt = PromptOrder.either
  /// Whether locking a session (`loginctl lock-session`, a screen locker) requires the passcode as `signet lock` does.
  public var locksWithSession = false
  /// Whether a user's vault closes when their last session ends.
  public var vaultClosesWithSession = true
  /// How much memory one guess at the passcode of a vault takes, in MiB.
  public var vaultPasscodeMemory = 128
  /// Whether a passcode that is typed at a service of `loginSecretServices` is kept as the login secret.
  public var keepsLoginSecret = false
  /// The PAM services to which a finger releases the login secret: those that begin a session with a keyring.
  public var loginSecretServices = ["login", "gdm-password", "gdm-fingerprint", "lightdm", "sddm", "greetd", "lxdm", "xdm"]
  /// How long the token of a session lives at most, in seconds.
  public var tokenLifetime: UInt64 = 86_400
  /// After how long without use it ends, in seconds; `nil` where that ends nothing.
  public var tokenIdle: UInt64?
  /// Whether a program is asked about that wants an item of another one's.
  public var applicationConsent = ApplicationConsent.keep
  /// Whether the device key is sealed by the TPM, where there is one.
  public var usesTPM = true
  /// The TPM's registers (PCR) whose values it is sealed for.
  public var tpmPCRs = [7]
  /// Where it is seen that a desktop asks for the finger in another conversation than for the passcode. No key sets this.
  public var fingerConversation = FingerConversation()
  /// The `[service NAME]` sections, by name.
  public var services: [String: ServiceSettings] = [:]

  public init() {}

  /// Bit n is PCR n.
  public var pcrMask: UInt32 { tpmPCRs.reduce(0) { $0 | 1 << UInt32($1) } }

  /// Whether the first finger after a restart opens the vault, as far as this file says.
  public var afterRestart: FingerAfterRestart {
    guard rules.fingerAfterRestart else { return .off }
    return rules.inactivity == nil && rules.passcodeAge == nil ? .ready : .timed
  }

  /// Whether a finger releases the login secret to this PAM service.
  public func releasesLoginSecret(to service: String) -> Bool { loginSecretServices.contains(service.lowercased()) }

  /// Whether a finger is asked for on the reader with this identifier. A name without a number is that of each reader of its kind.
  public func usesReader(_ identifier: String) -> Bool {
    readers.isEmpty || readers.contains { $0 == identifier || identifier.hasPrefix($0 + "#") }
  }

  /// Whether a service that says this name opens or unlocks sessions at the seat.
  public func isAtSeat(_ service: String) -> Bool { seatServices.contains(service.lowercased()) }
}

/// What a closed lid means for the finger.
public enum LidRule: String, CaseIterable, Sendable {
  /// No reader is used that is known to be built in.
  case auto
  /// No reader is used at all.
  case passcode
  /// Nothing.
  case ignore
}

/// What happens when a program wants an item that another program stored.
public enum ApplicationConsent: String, CaseIterable, Sendable {
  /// The owner is asked, and the answer holds for this program and this item from then on.
  case keep
  /// The owner is asked each time.
  case ask
  /// Programs are not told apart.
  case off
}

/// Everything that is wrong with a configuration.
public struct InvalidConfiguration: Error, Equatable {
  /// One error.
  public struct Problem: Equatable, Sendable {
    /// The path of the file that it is in.
    public var file: String
    /// The line, from 1; `nil` where it is about the file as a whole.
    public var line: Int?
    /// What was found, and what is allowed.
    public var message: String
  }

  public var path: String
  /// At least one, in the order of the files and their lines.
  public var problems: [Problem]

  /// Each problem as one line of text, with file and line number in front.
  public var lines: [String] {
    problems.map { problem in "\(problem.file):" + (problem.line.map { "\($0):" } ?? "") + " \(problem.message)" }
  }
}
