import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
@testable import SignetWire

extension Codec {
  static let administrationRequest = Codec(
    name: "AdministrationRequest",
    echo: { bytes throws(FormatError) in
      var fields = ByteReader(bytes.span)
      guard let kind = RequestKind(rawValue: try fields.header()) else { throw .badValue }
      let request = try AdministrationRequest(kind: kind, parsing: fields)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: requests.map { request in sample { packet throws(FormatError) in try request.write(into: &packet) } })

  private static var requests: [AdministrationRequest] {
    [nil].map { .enroll(user: "", $0, reader: "") }
      + Finger.allCases.map { .enroll(user: "alice", $0, reader: "virtual_device:0") }
      + [
        .enroll(user: text(FieldLimit.user), .leftThumb, reader: text(FieldLimit.name)), .delete(user: "", nil),
        .delete(user: "bob", .rightLittleFinger), .list(user: ""), .list(user: "müller"), .status(user: "alice"), .readers,
        .reset(user: "alice"), .sessions, .revokeSession(identifier: "0123abcd"), .revokeSession(identifier: ""), .lock(user: ""),
        .lock(user: "alice"), .suspend, .resume, .history(user: "", limit: 1), .history(user: "alice", limit: .max),
        .verify(VerifyRequest(user: "")), .verify(VerifyRequest(user: "alice", finger: .leftThumb, timeout: 3600)),
        .verify(VerifyRequest(user: text(FieldLimit.user), reader: text(FieldLimit.name), mayInteract: false)),
        .importFprintd(user: ""), .importFprintd(user: text(FieldLimit.user)),
      ]
  }

  static let onBehalf = Codec(
    name: "OnBehalfRequest",
    echo: { bytes throws(FormatError) in
      let request = try OnBehalfRequest(parsing: fields(of: .onBehalf, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [(BusSender(uid: 1000, pid: 4711, seen: 1_000_000), 4), (BusSender(uid: .max, pid: .max, seen: .max), 0)].map {
      sender, count in
      let inner = [UInt8](repeating: 1, count: count)
      return sample { packet throws(FormatError) in try OnBehalfRequest(of: sender, inner.span).write(into: &packet) }
    })

  static let administrationReply = Codec(
    name: "AdministrationReply",
    echo: { bytes throws(FormatError) in
      let reply = try AdministrationReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: (replies + rows + imports + vaultReplies).map { reply in
      sample { packet throws(FormatError) in try reply.write(into: &packet) }
    })

  private static var replies: [AdministrationReply] {
    Refusal.all.map { .refused($0) } + SystemError.all.map { .refused(.stateUnusable($0)) }
      + (0...4).map { .enrollStage(completed: $0, of: 5, retry: ScanRetry(rawValue: $0)) }
      + (1...12).map { .show(Prompt(rawValue: $0)!, value: 1, detail: "sudo") }
      + (1...10).map { .askPasscode(PasscodeReason(rawValue: $0)!) }
      + [
        .heartbeat, .done, .enrollStage(completed: 255, of: 255, retry: nil),
        .refused(.unknownUser(text(FieldLimit.user))), .refused(.severalReaders([text(FieldLimit.name), ""])),
        .refused(.readerFailed(text(FieldLimit.name), .tooHot, detail: text(FieldLimit.explanation))),
        .refused(.lockNotKept(.templateUnopened(text(FieldLimit.path), key: text(FieldLimit.path)))),
        .refused(.stateUnusable(.call(.write, text(FieldLimit.path), code: .min))),
        .refused(.vaultUnavailable(.unfinished(.system(.deviceKeyUnreadable(.call(.open, "/k", code: 13)))))),
      ]
  }

  private static var rows: [AdministrationReply] {
    Finger.allCases.map { .finger(FingerRow(finger: $0, reader: "virtual_device:0", enrolled: 1_800_000_000)) }
      + (0...8).map { lock in
        .status(
          StatusRow(
            user: "alice", uid: 1000, strikes: 3, limit: 5, lock: LockReason(rawValue: lock)!, wrongPasscodes: 255,
            passcodeDelay: .max, wrongElsewhere: 255, delayElsewhere: .max, keys: .tpm, pcrs: 1 << 7,
            tokenKey: TokenKeyHome(rawValue: lock % 3)!, afterRestart: FingerAfterRestart(rawValue: lock % 8)!,
            fault: lock == 2 ? .strikesTorn("the file") : nil))
      }
      + [EvidenceMethod.none, .fingerprint, .passcode].map { method in
        .session(
          SessionRow(
            identifier: "0123abcd", user: "alice", uid: .max, service: "login", terminal: "tty1", method: method, opened: .max,
            used: .max, expires: 1))
      }
      + Event.samples.map { .event(event($0)) } + [.event(longestEvent)]
      + [.reader(description(true, "Synaptics")), .reader(description(false, text(FieldLimit.name)))]
  }

  private static var imports: [AdministrationReply] {
    let outcomes =
      ImportOutcome.all + SystemError.all.map { .unreadable($0) } + [
        .otherUser(text(FieldLimit.user)), .unusable(text(FieldLimit.explanation)),
        .unreadable(.templateUnopened(text(FieldLimit.path), key: text(FieldLimit.path))),
      ]
    return outcomes.map { .imported(ImportRow(finger: .leftThumb, reader: text(FieldLimit.name), outcome: $0)) }
      + [.imported(ImportRow(finger: nil, reader: "", outcome: .unreadable(.notDirectory("/var/lib/fprint"))))]
  }

  private static func event(_ event: Event) -> EventRow {
    EventRow(
      time: 1_795_240_800, event: event,
      requester: EventRequester(
        pid: 4711, uid: 1000, loginUser: 1000, session: 7, program: "/usr/bin/sudo", service: "sudo", terminal: "pts/0"))
  }

  private static var longestEvent: EventRow {
    EventRow(
      time: .max, event: .gap(Int(UInt32.max), .events),
      requester: EventRequester(
        pid: .max, uid: .max, program: text(FieldLimit.program), service: text(FieldLimit.name), terminal: text(FieldLimit.name)))
  }

  static func description(_ flag: Bool, _ name: String) -> ReaderDescription {
    ReaderDescription(
      identifier: "synaptics:\(flag)", name: name, driver: "synaptics", isSwipe: flag, canIdentify: !flag, hasStorage: flag,
      enrollStages: 8)
  }

  static let passcodeCheck = Codec(
    name: "PasscodeCheck",
    echo: { bytes throws(FormatError) in
      let check = try PasscodeCheck(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try check.write(into: &packet) }
    },
    samples: [6, 512].map { count in
      let passcode = [UInt8](repeating: 0x70, count: count)
      return sample { packet throws(FormatError) in try PasscodeCheck(passcode: passcode.span).write(into: &packet) }
    })

  static let passcodeStack = Codec(
    name: "PasscodeStack",
    echo: { bytes throws(FormatError) in
      let stack = try PasscodeStack(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try stack.write(into: &packet) }
    },
    samples: [
      PasscodeStack(user: "alice", service: "signet-passcode", confdir: ""),
      PasscodeStack(user: text(FieldLimit.user), service: text(FieldLimit.name), confdir: text(FieldLimit.explanation)),
    ]
    .map { stack in sample { packet throws(FormatError) in try stack.write(into: &packet) } })

  static let passcodeQuestion = Codec(
    name: "PasscodeQuestion",
    echo: { bytes throws(FormatError) in
      let question = try PasscodeQuestion(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try question.write(into: &packet) }
    },
    samples: ["alice", text(FieldLimit.user)].map { user in
      sample { packet throws(FormatError) in try PasscodeQuestion(user: user).write(into: &packet) }
    })

  static let accountQuestion = Codec(
    name: "AccountQuestion",
    echo: { bytes throws(FormatError) in
      let question = try AccountQuestion(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try question.write(into: &packet) }
    },
    samples: [
      PasscodeStack(user: "alice", service: "signet-passcode", confdir: ""),
      PasscodeStack(user: text(FieldLimit.user), service: text(FieldLimit.name), confdir: text(FieldLimit.explanation)),
    ]
    .map { stack in sample { packet throws(FormatError) in try AccountQuestion(stack).write(into: &packet) } })

  static let passcodeAnswer = Codec(
    name: "PasscodeAnswer",
    echo: { bytes throws(FormatError) in
      let answer = try PasscodeAnswer(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try answer.write(into: &packet) }
    },
    samples: [
      (PasscodeAnswer.Outcome.verified, UInt32(0)), (.wrong, 7), (.notSet, 0), (.unavailable, .max), (.undecided, 4), (.isSet, 0),
      (.asksMore, 19), (.accountOpen, 0), (.accountClosed, 13), (.passcodeExpired, 12), (.accountUnknown, 9),
    ].map { outcome, code in
      sample { packet throws(FormatError) in try PasscodeAnswer(outcome: outcome, code: code).write(into: &packet) }
    })
}
