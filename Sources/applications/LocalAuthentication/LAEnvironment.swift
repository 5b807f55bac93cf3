import SignetContexts
import SignetVocabulary
import SignetWire

/// By what the owner can prove that they are there. A finger may be asked for or not from one moment to the next; here is how that
/// stands, and who wants to know of changes.
public final class LAEnvironment: NSObject, Sendable {
  /// That of the user who runs this program.
  public static let currentUser = LAEnvironment()

  private let watcher = EnvironmentWatcher()

  override init() { super.init() }

  /// How it stands now.
  public var state: State { State.present() }

  /// From now on the observer is told of each change. It is not kept alive.
  public func addObserver(_ observer: any Observer) { watcher.add(observer, of: self) }

  public func removeObserver(_ observer: any Observer) { watcher.remove(observer) }

  /// Is told of changes.
  public protocol Observer: AnyObject, Sendable {
    /// It stands in another way than before, and `LAEnvironment.state` says how. Called on a thread of Signet's own.
    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: State)
  }

  /// How it stood at one moment.
  public final class State: NSObject, NSCopying, Sendable {
    /// The fingerprint reader; `nil` where there is none.
    public let biometry: MechanismBiometry?
    /// The account's passcode.
    public let userPassword: MechanismUserPassword?
    /// Empty: there are no companions here.
    public let companions: [MechanismCompanion] = []
    public var allMechanisms: [Mechanism] { [biometry, userPassword].compactMap { $0 } }

    init(_ biometry: MechanismBiometry?, _ userPassword: MechanismUserPassword?) {
      (self.biometry, self.userPassword) = (biometry, userPassword)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? State else { return false }
      return biometry == other.biometry && userPassword == other.userPassword
    }

    public override var hash: Int { allMechanisms.map(\.hash).hashValue }
  }

  /// One way to prove to be the owner.
  public class Mechanism: NSObject, @unchecked Sendable {
    /// Whether it can be asked for now.
    public let isUsable: Bool
    /// What it is called, for people.
    public let localizedName: String
    /// The name of a picture on Apple's systems.
    public let iconSystemName: String

    init(isUsable: Bool, _ name: String, icon: String) {
      (self.isUsable, localizedName, iconSystemName) = (isUsable, name, icon)
    }

    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Mechanism else { return false }
      return type(of: self) == type(of: other) && isUsable == other.isUsable
    }

    public override var hash: Int { iconSystemName.hashValue }
  }

  /// The fingerprint reader.
  public final class MechanismBiometry: Mechanism, @unchecked Sendable {
    public let biometryType: LABiometryType
    public let isEnrolled: Bool
    /// Whether only the passcode will do.
    public let isLockedOut: Bool
    /// Changes exactly when a finger is added or removed; empty where none is enrolled.
    public let stateHash: Data
    /// Whether a reader is there that cannot be used, as under a closed lid: not known here, and false.
    public let builtInSensorInaccessible = false

    init(_ verdict: Verdict, _ fingers: Data) {
      biometryType = .touchID
      isEnrolled = verdict != .biometryNotEnrolled
      isLockedOut = verdict == .biometryLockout
      stateHash = fingers
      super.init(isUsable: verdict == .success, "Fingerprint", icon: "touchid")
    }

    public override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? MechanismBiometry else { return false }
      return super.isEqual(object) && isEnrolled == other.isEnrolled && isLockedOut == other.isLockedOut
        && stateHash == other.stateHash
    }
  }

  /// The account's passcode.
  public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
    public let isSet: Bool

    init(isSet: Bool) {
      self.isSet = isSet
      super.init(isUsable: isSet, "Passcode", icon: "lock")
    }
  }

  /// A watch or another companion: there are none.
  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    public let type: LACompanionType
    public let stateHash: Data? = nil

    init(_ type: LACompanionType) {
      self.type = type
      super.init(isUsable: false, "Companion", icon: "applewatch")
    }
  }
}

extension LAEnvironment.Observer {
  /// Nothing: whoever does not want to know of a change need not say so.
  public func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {}
}

extension LAEnvironment.State {
  /// As signetd says it; without it there is neither finger nor passcode to ask for.
  fileprivate static func present() -> LAEnvironment.State {
    do throws(ContextError) {
      let (fingers, owner) = try ApplicationContext().request { (connection) throws(ContextError) in
        (
          try connection.canEvaluate(.deviceOwnerAuthenticationWithBiometrics),
          try connection.canEvaluate(.deviceOwnerAuthentication)
        )
      }
      return LAEnvironment.State(
        fingers.biometry == .touchID ? LAEnvironment.MechanismBiometry(fingers.verdict, Data(fingers.domainState)) : nil,
        LAEnvironment.MechanismUserPassword(isSet: owner.verdict != .passcodeNotSet))
    } catch { return LAEnvironment.State(nil, nil) }
  }
}

/// Listens to signetd while anybody wants to know.
private final class EnvironmentWatcher: @unchecked Sendable {
  private struct Weak { weak var observer: (any LAEnvironment.Observer)? }
  private let lock = ForkableLock()
  private var observers: [Weak] = []
  private var isWatching = false
  private var interrupter: Interrupter?

  func add(_ observer: any LAEnvironment.Observer, of environment: LAEnvironment) {
    let begins = lock.withLock {
      observers.append(Weak(observer: observer))
      defer { isWatching = true }
      return !isWatching
    }
    guard begins else { return }
    // What it is compared with: a change while the thread begins is one, too.
    let present = environment.state
    OwnThread.run({ [self] in watch(environment, since: present) }, orElse: { [self] in lock.withLock { isWatching = false } })
  }

  func remove(_ observer: any LAEnvironment.Observer) {
    lock.withLock {
      observers.removeAll { $0.observer == nil || $0.observer === observer }
      if observers.isEmpty { interrupter?.cancel(.app) }
    }
  }

  /// Until nobody wants to know any more. Whoever came while the last one went is told by the next watch.
  private func watch(_ environment: LAEnvironment, since state: LAEnvironment.State) {
    var (last, canWatch) = (state, true)
    repeat {
      do throws(ContextError) { try follow(environment, &last) } catch {
        if case .cancelled = error {} else { canWatch = false }
      }
    } while goesOn(canWatch)
  }

  private func goesOn(_ canWatch: Bool) -> Bool {
    lock.withLock {
      interrupter = nil
      isWatching = canWatch && observers.contains { $0.observer != nil }
      return isWatching
    }
  }

  /// Returns where nobody is left to tell.
  private func follow(_ environment: LAEnvironment, _ last: inout LAEnvironment.State) throws(ContextError) {
    var watch = try StateWatch(path: ProgramEnvironment.socket)
    guard begins(watch.interrupter) else { return }
    while true {
      _ = try watch.next()
      let present = environment.state
      guard present != last else { continue }
      let told = lock.withLock {
        observers.removeAll { $0.observer == nil }
        return observers.compactMap(\.observer)
      }
      for observer in told { observer.environment(environment, stateDidChangeFromOldState: last) }
      last = present
      guard !told.isEmpty else { return }
    }
  }

  private func begins(_ interrupter: Interrupter) -> Bool {
    lock.withLock {
      self.interrupter = interrupter
      return !observers.isEmpty
    }
  }
}
