/// A reader as signet-reader sees it.
public struct ReaderDescription: Equatable, Sendable {
  /// `driver:device-id`, the same after replugging; templates are bound to it.
  public var identifier: String
  /// The reader's name for people.
  public var name: String
  public var driver: String
  /// True where a finger is swiped, false where it is pressed.
  public var isSwipe: Bool
  /// Whether the driver can identify (1:N); where not, signet-reader verifies against the first template.
  public var canIdentify: Bool
  /// Whether templates are stored on the reader (match on chip).
  public var hasStorage: Bool
  /// How many good scans enrolling takes.
  public var enrollStages: UInt8
  /// As it was when the readers were listed.
  public var obstacle = ReaderObstacle.none
  /// Whether it is known to be part of the machine, so that a closed lid covers it. signet-reader tells signetd, and nobody else.
  public var isBuiltIn = false

  public init(
    identifier: String, name: String, driver: String, isSwipe: Bool, canIdentify: Bool, hasStorage: Bool, enrollStages: UInt8
  ) {
    self.identifier = identifier
    self.name = name
    self.driver = driver
    self.isSwipe = isSwipe
    self.canIdentify = canIdentify
    self.hasStorage = hasStorage
    self.enrollStages = enrollStages
  }
}
