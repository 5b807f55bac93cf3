/// What is stored of the wrong passcodes of one source.
public struct WrongPasscodes: Equatable, Sendable {
  /// In a row. One that is being checked counts already.
  public var count: Int
  /// When the latest of them was entered.
  public var latest: Moment?

  public init(_ count: Int = 0, latest: Moment? = nil) {
    self.count = count
    self.latest = latest
  }
}

/// What is stored of an account's wrong passcodes.
public struct PasscodeCountsRecord: Equatable, Sendable {
  public var owner = WrongPasscodes()
  public var seat = WrongPasscodes()
  public var remote = WrongPasscodes()
  /// All strangers' together.
  public var strangers = WrongPasscodes()
  /// Of the strangers who tried last, the latest at the end; `strangerLimit` at most, each once.
  public var each: [OfStranger] = []

  /// One stranger's wrong passcodes.
  public struct OfStranger: Equatable, Sendable {
    public var stranger: PasscodeSource.Stranger
    public var wrong: WrongPasscodes

    public init(_ stranger: PasscodeSource.Stranger, _ wrong: WrongPasscodes) {
      self.stranger = stranger
      self.wrong = wrong
    }
  }

  /// How many strangers are told apart. One more pushes out the one who tried longest ago; the count of all goes on.
  public static let strangerLimit = 16

  public init() {}
}
