/// Why a call is refused: an error of the bus, and a sentence for whoever reads the client's log.
struct CallError: Error {
  let name: StaticString
  let sentence: StaticString

  init(_ name: StaticString, _ sentence: StaticString) {
    self.name = name
    self.sentence = sentence
  }

  static var isLocked: CallError { CallError("org.freedesktop.Secret.Error.IsLocked", "It is locked.") }
  static var noSession: CallError { CallError("org.freedesktop.Secret.Error.NoSession", "There is no such session of yours.") }
  static var noObject: CallError { CallError("org.freedesktop.Secret.Error.NoSuchObject", "There is no such object.") }
  static var noInterface: CallError { CallError("org.freedesktop.DBus.Error.UnknownInterface", "There is no such interface.") }
  static var noMethod: CallError { CallError("org.freedesktop.DBus.Error.UnknownMethod", "There is no such method.") }
  static var noProperty: CallError { CallError("org.freedesktop.DBus.Error.UnknownProperty", "There is no such property.") }
  static var readOnly: CallError { CallError("org.freedesktop.DBus.Error.PropertyReadOnly", "It cannot be set.") }
  static var badArguments: CallError { CallError("org.freedesktop.DBus.Error.InvalidArgs", "It has other arguments.") }
  static var notSupported: CallError { CallError("org.freedesktop.DBus.Error.NotSupported", "It is not supported.") }
  static var otherDefault: CallError {
    CallError("org.freedesktop.DBus.Error.NotSupported", "The default collection is always the first one.")
  }
  static var noMemory: CallError { CallError("org.freedesktop.DBus.Error.NoMemory", "There is no memory for it.") }
  static var notAllowed: CallError { CallError("org.freedesktop.DBus.Error.AccessDenied", "It is for the owner of this bus.") }
  static var unanswered: CallError { CallError("org.freedesktop.DBus.Error.Failed", "Signet does not answer.") }
  static var refused: CallError { CallError("org.freedesktop.DBus.Error.Failed", "Signet refuses: see its log.") }
  static var crowded: CallError { CallError("org.freedesktop.DBus.Error.LimitsExceeded", "Too much is open at once.") }
  static var vaultFull: CallError { CallError("org.freedesktop.DBus.Error.LimitsExceeded", "The vault is full.") }

  static func tooLong(_ sentence: StaticString) -> CallError {
    CallError("org.freedesktop.DBus.Error.LimitsExceeded", sentence)
  }
}

extension CallError {
  /// What signetd said.
  init(_ error: ContextError) {
    switch error {
    case .refused(.notFound): self = .noObject
    case .refused(.interactionNotAllowed), .refused(.notVerified), .refused(.locked), .notInteractive,
      .refused(.accountClosed), .refused(.passcodeExpired), .refused(.accountUnknown):
      self = .isLocked
    case .refused(.vaultFull): self = .vaultFull
    case .refused: self = .refused
    case .unusable: self = .tooLong("It is too long for an item.")
    case .noMemory: self = .noMemory
    case .client, .cancelled, .invalidated, .inUse: self = .unanswered
    }
  }
}
