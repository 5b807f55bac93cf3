/// A reader as signet-reader sees it.
public struct ReaderDescription: Equatable, Sendable {
  /// `driver:device-id`, the same after replugging; templates are bound to it.
  public var identifier: String
  /// The reader's name for people.
  public var name: String
  public var driver: String
  /// True where a finger is swiped, false where it is pressed.
  public var isSwipe: Bool
  /// Whether the driver can identify (1:N); where not, it compares with one template at a time.
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

#if !hasFeature(Embedded)
  extension ReaderDescription {
    /// Whether the reader tells of a finger before it is compared, so that after a cancel it is known that none was. Of those that send
    /// images libfprint itself tells it, and a chip that compares by itself keeps the templates.
    public var tellsFinger: Bool {
      hasStorage ? ReaderDescription.tellingDrivers.contains(driver) : !ReaderDescription.silentDrivers.contains(driver)
    }

    /// The drivers of chips that compare by themselves which report a finger (`FP_FINGER_STATUS_PRESENT`) when the chip has it, before
    /// the verdict, as read in libfprint 1.94. Another one is taken for silent until it was looked at.
    public static let tellingDrivers: Set<String> = [
      "egismoc", "fpcmoc", "goodixmoc", "realtek", "synaptics", "virtual_device", "virtual_device_storage",
    ]

    /// UPEK's chip compares by itself, too, and keeps no template.
    private static let silentDrivers: Set<String> = ["upekts"]
  }
#endif
