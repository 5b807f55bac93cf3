// DaemonPasscodes has signet-passcode look at passcodes. A passcode is one of two values here: typed, which nobody has
// looked at, and verified, which only `PasscodeChecker` makes.
import SignetMemory
import SignetVocabulary

/// A passcode as a client sent it. Wiped when it is let go.
package struct TypedPasscode: ~Copyable, Sendable {
  package let bytes: SecretBytes

  /// `nil` where it is longer than any passcode, or there is no memory.
  package init?(_ passcode: Span<UInt8>) {
    guard var copy = SecretBytes(capacity: FieldLimit.passcode), copy.append(passcode) else { return nil }
    bytes = copy
  }

  package var isEmpty: Bool { bytes.count == 0 }

  package var span: Span<UInt8> {
    @_lifetime(borrow self) get { bytes.span }
  }
}
