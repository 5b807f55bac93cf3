import SignetVocabulary

/// What a hand does to a reader, or to the machine. A program that plays the hand (`signet selftest --hand`) reads `line`.
public enum Gesture: Equatable, Sendable {
  /// Puts the finger on that is, or is to be, enrolled under this name, and lifts it.
  case touch(Finger)
  /// The same with a finger that is not enrolled.
  case touchOther
  /// Touches so that the reader sees too little to decide.
  case touchPoorly
  case unplug, plug
  /// From now on the reader sends so many bytes more, and then nothing, without being gone.
  case freeze(after: Int)
  case thaw
  case suspend, resume
  /// The reader answers that its own memory is full, when it is next to keep a print.
  case fillStorage
  case emptyStorage
  /// Plugs a second reader in beside the first, and out again.
  case addReader, removeReader

  public var line: String {
    switch self {
    case .touch(let finger): "touch \(finger.name)"
    case .touchOther: "touch other"
    case .touchPoorly: "touch poorly"
    case .unplug: "unplug"
    case .plug: "plug"
    case .freeze(let bytes): "freeze \(bytes)"
    case .thaw: "thaw"
    case .suspend: "suspend"
    case .resume: "resume"
    case .fillStorage: "fill"
    case .emptyStorage: "empty"
    case .addReader: "add"
    case .removeReader: "remove"
    }
  }
}
