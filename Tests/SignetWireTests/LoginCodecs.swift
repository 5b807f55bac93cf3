import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension Codec {
  static let authenticate = Codec(
    name: "AuthenticateRequest",
    echo: { bytes throws(FormatError) in
      let request = try AuthenticateRequest(parsing: fields(of: .authenticate, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [
      request(.deviceOwnerAuthentication, 30, "alice", "sudo", "/dev/pts/0", ""),
      request(.deviceOwnerAuthenticationWithBiometrics, 1, "", "", "", "", .alone),
      request(.deviceOwnerAuthentication, 30, "alice", "polkit-1", "", "", .standing),
      request(
        .deviceOwnerAuthentication, 3600, text(FieldLimit.user), text(FieldLimit.name), text(FieldLimit.name),
        text(FieldLimit.host)),
    ])

  private static func request(
    _ policy: Policy, _ timeout: UInt16, _ user: String, _ service: String, _ terminal: String, _ host: String,
    _ question: QuestionForm = .beside
  ) -> [UInt8] {
    let (user, service, terminal, host) = (Array(user.utf8), Array(service.utf8), Array(terminal.utf8), Array(host.utf8))
    return sample { packet throws(FormatError) in
      try AuthenticateRequest(
        policy: policy, timeout: timeout, user: user.span, service: service.span, terminal: terminal.span,
        remoteHost: host.span, question: question
      ).write(into: &packet)
    }
  }

  static let passcode = Codec(
    name: "PasscodeRequest",
    echo: { bytes throws(FormatError) in
      let request = try PasscodeRequest(parsing: fields(of: .passcode, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [0, 1, FieldLimit.passcode].map { count in
      let passcode = [UInt8](repeating: 0x70, count: count)
      return sample { packet throws(FormatError) in try PasscodeRequest(passcode: passcode.span).write(into: &packet) }
    })

  static let openSession = Codec(
    name: "OpenSessionRequest",
    echo: { bytes throws(FormatError) in
      let request = try OpenSessionRequest(parsing: fields(of: .openSession, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [(Int32.min, ""), (-1, "tty1"), (Int32.max, text(FieldLimit.name))].map { key, terminal in
      let token = [UInt8](0..<32)
      let terminal = Array(terminal.utf8)
      return sample { packet throws(FormatError) in
        try OpenSessionRequest(token: token.span, key: key, terminal: terminal.span).write(into: &packet)
      }
    })

  static let closeSession = Codec(
    name: "CloseSessionRequest",
    echo: { bytes throws(FormatError) in
      let request = try CloseSessionRequest(parsing: fields(of: .closeSession, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [[UInt8](0..<32)].map { token in
      sample { packet throws(FormatError) in try CloseSessionRequest(token: token.span).write(into: &packet) }
    })

  static let loginReply = Codec(
    name: "LoginReply",
    echo: { bytes throws(FormatError) in
      let reply = try LoginReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: [sample { packet throws(FormatError) in try LoginReply.heartbeat.write(into: &packet) }]
      + (UInt8(1)...12).map { number in show(Prompt(rawValue: number)!, number, "") }
      + [show(.readerBusy, 0, text(FieldLimit.name))]
      + (UInt8(1)...10).map { number in
        sample { packet throws(FormatError) in
          try LoginReply.askPasscode(PasscodeReason(rawValue: number)!).write(into: &packet)
        }
      }
      + (UInt8(1)...14).map { verdict(Verdict(rawValue: $0), .none, []) }
      + [verdict(Verdict(rawValue: 0), .none, []), verdict(Verdict(rawValue: 200), .none, [])]
      + [.fingerprint, .passcode].flatMap { [verdict(.success, $0, [UInt8](0..<32)), verdict(.success, $0, [])] }
      + [1, FieldLimit.passcode].map { count in
        verdict(.success, .fingerprint, [UInt8](0..<32), authtok: [UInt8](repeating: 0x70, count: count))
      }
      + [Crowd.ofAsker, .ofServices].map { crowd in
        sample { packet throws(FormatError) in try LoginReply.busy(crowd).write(into: &packet) }
      })

  private static func show(_ prompt: Prompt, _ value: UInt8, _ detail: String) -> [UInt8] {
    let detail = Array(detail.utf8)
    return sample { packet throws(FormatError) in
      try LoginReply.show(prompt, value: value, detail: detail.span).write(into: &packet)
    }
  }

  private static func verdict(
    _ verdict: Verdict, _ method: EvidenceMethod, _ token: [UInt8], authtok: [UInt8] = []
  ) -> [UInt8] {
    sample { packet throws(FormatError) in
      try LoginReply.verdict(verdict, method, token: token.span, authtok: authtok.span).write(into: &packet)
    }
  }
}
