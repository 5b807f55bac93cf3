import Glibc
import SignetLanguage

/// A line of a service file.
public struct FileLocation: Hashable, Sendable {
  public var file: String
  public var line: Int
  public var text: String
}

/// A line that breaks one of the two promises (`StackCheck`), or that libpam cannot follow.
public struct Fault: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Somebody comes in without a credential.
    case opensWithoutCredential
    /// Without a usable reader nobody gets in by passcode.
    case noPasscode
    /// A finger that matches is refused.
    case fingerRefused
    /// A jump beyond the end of the stack.
    case badJump
    /// libpam cannot read the line, and makes it a failure.
    case malformed
    case missingInclude
    case includeLoop
    /// The service that checks passcodes for signetd asks a second question; signetd answers only one.
    case questions
    /// The service that checks passcodes for signetd does not say of a wrong passcode that it is one.
    case uncountedGuess
    /// The service that checks passcodes for signetd does not exist.
    case noPasscodeService
    /// There are too many ways to try them all, or libpam gave no answer: nothing is proven.
    case notProven
  }

  public var kind: Kind
  public var place: FileLocation
  public var why: String
  /// What to write instead.
  public var instead: String

  init(_ kind: Kind, _ place: FileLocation, why: String, instead: String) {
    self.kind = kind
    self.place = place
    self.why = why
    self.instead = instead
  }

  static func tooLarge(_ place: FileLocation, _ what: String) -> Fault {
    Fault(
      .notProven, place, why: say("It has \(what), more than can be checked, so nothing is proven."),
      instead: say("Make the stack shorter."))
  }

  static func includeLoop(_ place: FileLocation, back file: String) -> Fault {
    Fault(
      .includeLoop, place, why: say("It includes \(file), which is being read already: libpam never comes to an end."),
      instead: say("Include each file from one place only."))
  }

  static func missingInclude(_ place: FileLocation, file: String, _ cause: Int32) -> Fault {
    Fault(
      .missingInclude, place,
      why: say("\(file) cannot be read (\(ErrnoText.of(cause))): libpam makes the line, or the whole service, a failure."),
      instead: say("Name a file that is there, or remove the line."))
  }

  static func malformed(_ place: FileLocation, _ why: String) -> Fault {
    Fault(.malformed, place, why: why, instead: say("Write it in the form of pam.conf(5): type control module arguments."))
  }
}

/// Something that the administrator should know, but that is no fault.
public struct Remark: Hashable, Sendable {
  /// `nil` where it is about the whole service.
  public var place: FileLocation?
  public var text: String
}

enum ErrnoText {
  /// strerror(3)'s words for an errno.
  static func of(_ error: Int32) -> String {
    guard let text = unsafe strerror(error) else { return "error \(error)" }
    return unsafe String(cString: text)
  }
}
