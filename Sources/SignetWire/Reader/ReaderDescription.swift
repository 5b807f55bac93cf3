import SignetMemory

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

  @_lifetime(fields: copy fields)
  public init(parsing fields: inout WireReader) throws(WireError) {
    identifier = try fields.text(limit: WireLimit.name)
    name = try fields.text(limit: WireLimit.name)
    driver = try fields.text(limit: WireLimit.name)
    isSwipe = try fields.flag()
    canIdentify = try fields.flag()
    hasStorage = try fields.flag()
    enrollStages = try fields.byte()
  }

  public func write(into packet: inout SecretBytes) throws(WireError) {
    try packet.put(text: identifier, limit: WireLimit.name)
    try packet.put(text: name, limit: WireLimit.name)
    try packet.put(text: driver, limit: WireLimit.name)
    try packet.put(isSwipe ? 1 : 0)
    try packet.put(canIdentify ? 1 : 0)
    try packet.put(hasStorage ? 1 : 0)
    try packet.put(enrollStages)
  }
}
