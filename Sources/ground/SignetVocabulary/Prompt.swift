/// What a waiting user is shown. The words are SignetWords' `PromptText`.
public enum Prompt: UInt8, Sendable {
  /// The reader is armed. Value: as `TouchForm` says. Detail: what the readers are called, where more than one takes the finger.
  case touchReader = 1
  /// A miss. Value: misses left in this evaluation.
  case notRecognised = 2
  /// A poor scan. Value: a `ScanRetry`.
  case scanAgain = 3
  /// The passcode is required whatever the finger says. Value: a `LockReason`.
  case locked = 4
  /// The reader scans for somebody else. Detail: who.
  case readerBusy = 5
  /// No reader, or one that does not answer. Value: as `UnavailableForm` says.
  /// Detail: to root alone, for its log, the program that holds the reader, where that is known.
  case readerUnavailable = 6
  /// No finger came in time.
  case timedOut = 7
  /// This evaluation's misses are used up. Value: 0 where the passcode is asked for now, 1 where it is not.
  case noAttemptsLeft = 8
  /// Too many wrong passcodes: none is looked at for a while. Value: as `DelayForm` says.
  case passcodeDelayed = 9
  /// The passcode was wrong and is asked for again. Value: attempts left in this evaluation.
  case wrongPasscode = 10
  /// A program wants an item that another one made. Detail: the program that asks, a line feed, and the one that made it.
  case consent = 11
  /// The stack that checks passcodes asks for more than one, so that nothing was found out about it.
  case passcodeNotEnough = 12
}

/// The bits of `Prompt.touchReader`'s value.
public enum TouchForm {
  /// The finger is drawn across the reader; else it is put on it.
  public static var swipe: UInt8 { 1 }
  /// The passcode is asked for after the finger, and not beside it.
  public static var fingerFirst: UInt8 { 2 }
  /// No passcode is taken meanwhile, so that none is offered.
  public static var alone: UInt8 { 4 }

  /// Where the reader compares with one finger at a time, its number (`Finger`) stands in the upper four bits; 0 where any will do.
  public static func naming(_ finger: UInt8) -> UInt8 { finger << 4 }
  public static func finger(in value: UInt8) -> UInt8 { value >> 4 }
}

/// `Prompt.passcodeDelayed`'s value: minutes, rounded up, or below two of them seconds.
public enum DelayForm {
  /// Added to seconds.
  public static var seconds: UInt8 { 0x80 }

  public static func value(of delay: UInt64) -> UInt8 {
    delay < 120 ? seconds | UInt8(truncatingIfNeeded: delay) : UInt8(truncatingIfNeeded: (min(delay, 0x7f * 60) &+ 59) / 60)
  }
}

/// `Prompt.readerUnavailable`'s value.
public enum UnavailableForm {
  public static var other: UInt8 { 0 }
  public static var tooHot: UInt8 { 1 }
  /// A closed lid covers it.
  public static var lidClosed: UInt8 { 2 }
  /// A program that is no part of Signet has it.
  public static var heldByOther: UInt8 { 3 }
  /// It is not the reader: the fingers were enrolled when the user had another name, or by who had the uid before.
  public static var otherName: UInt8 { 4 }
  /// Nor here: none of the enrolled fingers can be used.
  public static var noUsableFinger: UInt8 { 5 }
  /// Nor here: the strike cannot be stored, without which nobody scans.
  public static var noRoom: UInt8 { 6 }
}

/// Why the passcode is asked.
public enum PasscodeReason: UInt8, Sendable {
  case userFallback = 1
  case misses = 2
  /// As `Prompt.locked` says.
  case lockout = 3
  case readerUnavailable = 4
  case timedOut = 5
  /// To enroll or delete a finger.
  case administration = 6
  /// To open the vault, or to read an item that asks for it.
  case vault = 7
  /// The passcode that the vault was last opened with, after a reset of the passcode.
  case oldPasscode = 8
  /// As `Prompt.wrongPasscode` says.
  case wrongPasscode = 9
  /// As `Prompt.consent` says.
  case consent = 10
  /// It is asked for before the finger: `fallback` asks for that.
  case passcodeFirst = 11
}

/// How whoever asks signetd puts the question for the passcode to the user.
public enum QuestionForm: UInt8, Sendable {
  /// Beside the finger: while one is waited for, the user can answer already, or say that they want to.
  case beside = 1
  /// Alone: until it is answered nothing else is heard, and while a finger is waited for, no passcode.
  case alone = 2
  /// As `beside`, in words that stand until it is answered: another finger than the first cannot be asked for.
  case standing = 3
}
