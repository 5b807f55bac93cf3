import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension Codec {
  static let context = Codec(
    name: "ContextRequest",
    echo: { bytes throws(FormatError) in
      let request = try ContextRequest(parsing: fields(of: .context, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: ["", "Mail", text(FieldLimit.name)].map { name in
      let name = Array(name.utf8)
      return sample { packet throws(FormatError) in try ContextRequest(name: name.span).write(into: &packet) }
    })

  static let evaluate = Codec(
    name: "EvaluateRequest",
    echo: { bytes throws(FormatError) in
      let request = try EvaluateRequest(parsing: fields(of: .evaluate, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [
      EvaluateRequest(policy: .deviceOwnerAuthentication, timeout: 30),
      EvaluateRequest(policy: .deviceOwnerAuthenticationWithBiometrics, timeout: 1, reuse: 300, mayInteract: false),
      EvaluateRequest(policy: .deviceOwnerAuthentication, timeout: 3600, reuse: 1),
    ].map { request in sample { packet throws(FormatError) in try request.write(into: &packet) } })

  static let canEvaluate = Codec(
    name: "CanEvaluateRequest",
    echo: { bytes throws(FormatError) in
      let request = try CanEvaluateRequest(parsing: fields(of: .canEvaluate, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [Policy.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication].map { policy in
      sample { packet throws(FormatError) in try CanEvaluateRequest(policy: policy).write(into: &packet) }
    })

  static let watch = Codec(
    name: "WatchRequest",
    echo: { bytes throws(FormatError) in
      let request = try WatchRequest(parsing: fields(of: .watch, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [sample { packet throws(FormatError) in try WatchRequest().write(into: &packet) }])

  static let watchVault = Codec(
    name: "WatchVaultRequest",
    echo: { bytes throws(FormatError) in
      let request = try WatchVaultRequest(parsing: fields(of: .watchVault, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [sample { packet throws(FormatError) in try WatchVaultRequest().write(into: &packet) }])

  static let forget = Codec(
    name: "ForgetRequest",
    echo: { bytes throws(FormatError) in
      let request = try ForgetRequest(parsing: fields(of: .forget, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [sample { packet throws(FormatError) in try ForgetRequest().write(into: &packet) }])

  static let evaluated = Codec(
    name: "EvaluatedReply",
    echo: { bytes throws(FormatError) in
      let reply = try EvaluatedReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: ([
      EvaluatedReply(.success, .fingerprint), EvaluatedReply(.success, .passcode), EvaluatedReply(Verdict(rawValue: 200)),
    ]
      + (UInt8(0)...14).map { EvaluatedReply(Verdict(rawValue: $0)) }).map { reply in
        sample { packet throws(FormatError) in try reply.write(into: &packet) }
      })

  static let policyRow = Codec(
    name: "PolicyRow",
    echo: { bytes throws(FormatError) in
      let row = try PolicyRow(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try row.write(into: &packet) }
    },
    samples: [(Verdict.success, BiometryKind.touchID, 32), (.biometryNotEnrolled, .touchID, 0), (.passcodeNotSet, .none, 0)]
      .map { verdict, biometry, count in
        let state = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in
          try PolicyRow(verdict, biometry, domainState: state.span).write(into: &packet)
        }
      })

  static let biometryRow = Codec(
    name: "BiometryRow",
    echo: { bytes throws(FormatError) in
      let row = try BiometryRow(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try row.write(into: &packet) }
    },
    samples: ([(BiometryState.usable, LockReason.none, Verdict.success, 32), (.notWorking, .none, .biometryNotAvailable, 0)]
      + (UInt8(1)...6).map { (.lockout, LockReason(rawValue: $0)!, .biometryLockout, 32) })
      .map { state, lock, verdict, count in
        let domain = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in
          try BiometryRow(state, lock, verdict, domainState: domain.span).write(into: &packet)
        }
      })

  static let openingRow = Codec(
    name: "OpeningRow",
    echo: { bytes throws(FormatError) in
      let row = try OpeningRow(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try row.write(into: &packet) }
    },
    samples: [(UInt64(0), UInt64(0), 0), (1, 0, 32), (.max, .max, 32)]
      .map { opening, unlock, count in
        let domain = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in
          try OpeningRow(opening, unlock: unlock, domainState: domain.span).write(into: &packet)
        }
      })
}
