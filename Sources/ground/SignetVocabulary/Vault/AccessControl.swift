/// What must be proved before an item is released, as the Keychain's `SecAccessControlCreateFlags` say it.
public struct AccessControl: Hashable, Sendable {
  /// One condition each.
  public struct Constraints: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A finger that is enrolled now.
    public static let biometryAny = Constraints(rawValue: 1)
    /// A finger, of the set that was enrolled when the item was stored.
    public static let biometryCurrentSet = Constraints(rawValue: 2)
    /// A finger or the passcode.
    public static let userPresence = Constraints(rawValue: 4)
    /// The passcode.
    public static let devicePasscode = Constraints(rawValue: 8)

    /// All that there are; others are refused where they are read.
    public static let known: Constraints = [.biometryAny, .biometryCurrentSet, .userPresence, .devicePasscode]
  }

  /// How several constraints are taken together.
  public enum Connective: UInt8, Hashable, Sendable {
    case and = 0
    case or = 1
  }

  /// Empty: whoever may read at all, may read this.
  public var constraints: Constraints
  public var connective: Connective

  public init(_ constraints: Constraints = [], _ connective: Connective = .and) {
    self.constraints = constraints
    self.connective = connective
  }

  /// Whether nothing opens the item any more once the enrolled fingers are others.
  public var endsWithFingers: Bool {
    constraints.contains(.biometryCurrentSet) && (connective == .and || constraints == .biometryCurrentSet)
  }
}
