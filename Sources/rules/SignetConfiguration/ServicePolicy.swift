import SignetAuthentication
import SignetLanguage

/// What a PAM service takes for a proof.
public enum Allowance: String, CaseIterable, Sendable {
  /// Nothing: logins go on to the next module of the stack.
  case off
  case finger
  case fingerOrPasscode = "finger_or_passcode"
  case passcode
}

/// In which order a login asks for finger and passcode.
public enum PromptOrder: String, CaseIterable, Sendable {
  /// For both in one prompt, where the host's terminal can be asked so; elsewhere for the passcode first, so that nobody who has it already
  /// waits for a finger.
  case either
  case fingerFirst = "finger_first"
  case passcodeFirst = "passcode_first"
}

/// What holds for logins of one PAM service.
public struct ServicePolicy: Equatable, Sendable {
  public var allows: Allowance
  public var prompt: PromptOrder
  /// How long a finger is waited for, in seconds.
  public var fingerTimeout: UInt64
  /// Whether a login gets a token for its session.
  public var getsToken: Bool
  public var limits: LockoutLimits
}

extension Configuration {
  /// Whether a PAM service can have this name.
  public static func isService(_ name: String) -> Bool { Form<String>.service.read(name) != nil }

  /// What holds for a service. A name in capitals finds its section too: libpam makes names lower case.
  public func policy(for service: String) -> ServicePolicy {
    let (own, known) = (section(of: service), KnownService.named(service, fingerConversation)?.settings)
    return ServicePolicy(
      allows: own?.allows ?? known?.allows ?? allows, prompt: own?.prompt ?? known?.prompt ?? prompt,
      fingerTimeout: own?.fingerTimeout ?? known?.fingerTimeout ?? fingerTimeout, getsToken: own?.getsToken ?? getsToken,
      limits: limits(of: own, known))
  }

  private func section(of service: String) -> ServiceSettings? { services[service] ?? services[service.lowercased()] }

  private func limits(of settings: ServiceSettings?, _ known: ServiceSettings?) -> LockoutLimits {
    var limits = limits
    limits.missesPerEvaluation = settings?.tries ?? known?.tries ?? limits.missesPerEvaluation
    limits.poorScansPerEvaluation = settings?.poorScans ?? limits.poorScansPerEvaluation
    return limits
  }

  /// The numbers for logins of this PAM service.
  public func limits(for service: String) -> LockoutLimits {
    let policy = policy(for: service)
    var limits = policy.limits
    if policy.allows == .passcode { limits.missesPerEvaluation = 0 }
    return limits
  }
}

extension ConfigurationFile {
  /// What holds for logins of a service: each key that a section can have, with the line that says so. Where no line does, `service`
  /// tells a default of this service from one of all.
  public func policy(of service: String) -> [Setting] {
    let name = service.lowercased()
    return Key.all.filter(\.isForServices).compactMap { key in
      let location = KeyLocations.Location(key: key.name, service: name)
      if let own = configuration.services[name].flatMap({ key.valueForService?($0) }) {
        return Setting(key: key.name, service: name, value: own.text, words: own.words, locations.lines[location]?.first)
      }
      let known = KnownService.named(name, configuration.fingerConversation)
      if let known, let value = key.valueForService?(known.settings) {
        return Setting(key: key.name, service: name, value: value.text, words: say("\(value.words): \(known.reason())"))
      }
      guard var setting = settings.first(where: { $0.key == key.name }) else { return nil }
      if let known, known.settings.prompt == nil, setting.value == PromptOrder.either.rawValue {
        let words = setting.words
        setting.words = say("\(words): \(known.reason())")
      }
      return setting
    }
  }

  /// Whether a finger hands the login secret to a service: a list of services says that, and no section.
  public func releaseOfLoginSecret(to service: String) -> Setting {
    let isReleased = configuration.releasesLoginSecret(to: service)
    return Setting(
      key: "authtok_services", value: isReleased ? "yes" : "no",
      words: isReleased ? say("a finger hands the login secret to this service") : say("this service gets no login secret"),
      locations.lines[KeyLocations.Location(key: "authtok_services")]?.first)
  }
}
