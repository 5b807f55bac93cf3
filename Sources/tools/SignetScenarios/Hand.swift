import SignetLanguage
import SignetMemory
import SignetVocabulary

/// Who touches the reader, pulls it out, and knows the passcode: a program of the test's own, or a person. One thread at a time.
public protocol Hand: AnyObject {
  /// A person does a moment later what they are asked to do, and needs their time for it.
  var isPerson: Bool { get }

  /// Does it, or asks a person to do it. Throws `Stop.cannot` where that is not possible here.
  func perform(_ gesture: Gesture) throws(Stop)

  /// Whether a reader that was pulled out is gone until it is put back. libfprint's virtual ones come back by themselves.
  var unplugLasts: Bool { get }

  /// The reader waits for a finger.
  func readerIsArmed() throws(Stop)

  /// Whether `enterPasscode` will have one.
  var knowsPasscode: Bool { get }

  /// Puts the passcode into `answer`, without anything behind it.
  func enterPasscode(into answer: inout SecretBytes) throws(Stop)
}

extension Hand {
  public var unplugLasts: Bool { true }
  public func readerIsArmed() throws(Stop) {}
}

/// Why a scenario does not go on.
public enum Stop: Error, Equatable, Sendable {
  /// It cannot run here, for this reason. That is no fault of the reader.
  case cannot(Sentence)
  /// Something else was seen than what must be.
  case wrong(Sentence)
  /// By this signal.
  case interrupted(Int32)
}
