/// What a print says of itself that another program enrolled, and which reader can use it.
public struct ForeignPrint: Equatable, Sendable {
  /// The driver and the device that it is for, in libfprint's names.
  public var driver: String
  public var device: String
  /// `nil` where it names none.
  public var finger: Finger?
  /// Whose it is; empty where it names nobody.
  public var user: String
  /// `ReaderDescription.identifier` of the connected reader that takes it; empty where there is none.
  public var reader: String

  public init(driver: String, device: String, finger: Finger?, user: String, reader: String) {
    self.driver = driver
    self.device = device
    self.finger = finger
    self.user = user
    self.reader = reader
  }
}
