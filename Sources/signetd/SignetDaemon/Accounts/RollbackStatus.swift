import SignetVocabulary

/// Whether the pins on disk are the newest. A value without I/O: what the file says and what the TPM says, side by side.
enum RollbackStatus: Equatable, Sendable {
  /// The device key is not open yet, or the TPM has not answered. No finger is looked at.
  case undecided
  /// They are the newest: a user whose state is older than the pin is locked.
  case trusted
  /// Nobody can know what is the newest. Every user is locked until their passcode.
  case distrusted(PinFault)

  enum File: Equatable {
    case none
    case damaged
    /// With its number.
    case found(UInt64)
  }

  /// `counter` is what the TPM has after it was asked to count up to the file's number, by `slack` at most; `nil` where it has no
  /// counter of ours.
  ///
  /// The file is written first and counted after it. So a file that the TPM could catch up with is a change that a crash
  /// interrupted. An older file has a lower number than the counter, which nothing takes back.
  init(_ file: File, counter: UInt64?) {
    self =
      switch (file, counter) {
      case (.none, _): .distrusted(.missing)
      case (.damaged, _): .distrusted(.damaged)
      case (.found(0), nil): .trusted
      case (.found, nil): .distrusted(.uncounted)
      case (.found(let number), .some(let counter)) where number < counter: .distrusted(.older)
      case (.found(let number), .some(let counter)) where number > counter: .distrusted(.ahead)
      case (.found, .some): .trusted
      }
  }

  /// The number that a changed file gets, where the TPM has counted to `counted` and the last file had `written`. While the TPM
  /// is asked it may have counted already, so that the number it was asked for is spent.
  static func next(written: UInt64, counted: UInt64, isAsking: Bool) -> UInt64 { max(written, counted + (isAsking ? 2 : 1)) }
}
