#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

extension SystemError: NumberedForm {
  package var number: UInt8 {
    switch self {
    case .call: 1
    case .notDirectory: 2
    case .notRegularFile: 3
    case .foreignOwner: 4
    case .writableByOthers: 5
    case .strikesMissing: 6
    case .strikesTorn: 7
    case .strikesOlder: 8
    case .strikesUnreadable: 9
    case .templateVersion: 10
    case .templateTorn: 11
    case .templateMisplaced: 12
    case .templateOfOther: 13
    case .templateUnopened: 14
    case .deviceKeyMissing: 15
    case .deviceKeyDamaged: 16
    case .deviceKeyUnreadable: 17
    case .deviceKeySealed: 18
    case .stateUnpinned: 19
    }
  }

  // Made at each use: what a static array holds boxed looks like a leak to a sanitizer.
  package static var all: [SystemError] {
    [
      .call(.open, "", code: 0), .foreignOwner("", uid: 0), .strikesUnreadable(.notDirectory("")),
      .templateOfOther("", uid: 0, owner: ""), .templateUnopened("", key: ""), .deviceKeyUnreadable(.notDirectory("")),
      .deviceKeySealed("", .missing, code: 0), .stateUnpinned("", .older),
    ]
      + [
        notDirectory, notRegularFile, writableByOthers, strikesMissing, strikesTorn, strikesOlder, templateVersion, templateTorn,
        templateMisplaced, deviceKeyMissing, deviceKeyDamaged,
      ].map { $0("") }
  }

  package mutating func pass(_ fields: inout some AnyFieldPass, depth: Int) throws(FormatError) {
    switch self {
    case .call(let call, let thing, let code):
      self = .call(
        try fields.passed(call), try fields.passed(thing),
        code: Int32(bitPattern: try fields.passed(UInt32(bitPattern: code))))
    case .foreignOwner(let path, let uid): self = .foreignOwner(try fields.passed(path), uid: try fields.passed(uid))
    case .templateOfOther(let path, let uid, let owner):
      self = .templateOfOther(
        try fields.passed(path), uid: try fields.passed(uid), owner: try fields.passed(owner, limit: FieldLimit.user))
    case .templateUnopened(let path, let key):
      self = .templateUnopened(try fields.passed(path), key: try fields.passed(key))
    case .strikesUnreadable(let error): self = .strikesUnreadable(try fields.passed(error, depth: depth))
    case .deviceKeyUnreadable(let error): self = .deviceKeyUnreadable(try fields.passed(error, depth: depth))
    case .deviceKeySealed(let path, let fault, let code):
      self = .deviceKeySealed(try fields.passed(path), try fields.passed(fault), code: try fields.passed(code))
    case .stateUnpinned(let path, let fault): self = .stateUnpinned(try fields.passed(path), try fields.passed(fault))
    case .notDirectory(let path): self = .notDirectory(try fields.passed(path))
    case .notRegularFile(let path): self = .notRegularFile(try fields.passed(path))
    case .writableByOthers(let path): self = .writableByOthers(try fields.passed(path))
    case .strikesMissing(let path): self = .strikesMissing(try fields.passed(path))
    case .strikesTorn(let path): self = .strikesTorn(try fields.passed(path))
    case .strikesOlder(let path): self = .strikesOlder(try fields.passed(path))
    case .templateVersion(let path): self = .templateVersion(try fields.passed(path))
    case .templateTorn(let path): self = .templateTorn(try fields.passed(path))
    case .templateMisplaced(let path): self = .templateMisplaced(try fields.passed(path))
    case .deviceKeyMissing(let path): self = .deviceKeyMissing(try fields.passed(path))
    case .deviceKeyDamaged(let path): self = .deviceKeyDamaged(try fields.passed(path))
    }
  }
}

extension VaultError: NumberedForm {
  package var number: UInt8 {
    switch self {
    case .noKey: 1
    case .keyExists: 2
    case .wrongPasscode: 3
    case .locked: 4
    case .proofMissing: 5
    case .setChanged: 6
    case .notFound: 7
    case .duplicate: 8
    case .full: 9
    case .badItem: 10
    case .damaged: 11
    case .missing: 12
    case .putBack: 13
    case .otherOwner: 14
    case .otherKey: 15
    case .system: 16
    case .unfinished: 17
    case .busy: 18
    case .exhausted: 19
    case .emptyPasscode: 20
    case .oversized: 21
    case .unknown: 22
    }
  }

  // Made at each use: what a static array holds boxed looks like a leak to a sanitizer.
  package static var all: [VaultError] {
    [
      .noKey, .wrongPasscode, .locked, .proofMissing, .notFound, .duplicate, .full, .badItem, .emptyPasscode, .exhausted,
      .otherOwner("", uid: 0, owner: ""), .unfinished(.noKey),
    ]
      + [keyExists, setChanged, damaged, missing, putBack, unknown, otherKey].map { $0("") }
      + [system, busy, oversized].map { $0(.notDirectory("")) }
  }

  package mutating func pass(_ fields: inout some AnyFieldPass, depth: Int) throws(FormatError) {
    switch self {
    case .noKey, .wrongPasscode, .locked, .proofMissing, .notFound, .duplicate, .full, .badItem, .emptyPasscode, .exhausted:
      break
    case .keyExists(let path): self = .keyExists(try fields.passed(path))
    case .setChanged(let path): self = .setChanged(try fields.passed(path))
    case .damaged(let path): self = .damaged(try fields.passed(path))
    case .missing(let path): self = .missing(try fields.passed(path))
    case .putBack(let path): self = .putBack(try fields.passed(path))
    case .unknown(let path): self = .unknown(try fields.passed(path))
    case .otherKey(let path): self = .otherKey(try fields.passed(path))
    case .otherOwner(let path, let uid, let owner):
      self = .otherOwner(
        try fields.passed(path), uid: try fields.passed(uid), owner: try fields.passed(owner, limit: FieldLimit.user))
    case .system(let error): self = .system(try fields.passed(error, depth: depth))
    case .busy(let error): self = .busy(try fields.passed(error, depth: depth))
    case .oversized(let error): self = .oversized(try fields.passed(error, depth: depth))
    case .unfinished(let error): self = .unfinished(try fields.passed(error, depth: depth))
    }
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// The path of a file.
  @_lifetime(self: copy self)
  fileprivate mutating func passed(_ path: String) throws(FormatError) -> String {
    try passed(path, limit: FieldLimit.path)
  }
}
