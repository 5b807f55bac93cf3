import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension Codec {
  private static let token = [UInt8](0..<32)
  private static let refresh = [UInt8](0..<40)
  private static let thumbprint = [UInt8](repeating: 0x74, count: FieldLimit.thumbprint)

  static let introspect = sessionToken("IntrospectRequest", .introspect, .introspect)
  static let revokeOthers = sessionToken("RevokeOthersRequest", .revokeOthers, .revokeOthers)

  private static func sessionToken(
    _ name: String, _ question: SessionTokenRequest.Question, _ kind: RequestKind
  ) -> Codec {
    Codec(
      name: name,
      echo: { bytes throws(FormatError) in
        let request = try SessionTokenRequest(question, parsing: fields(of: kind, in: bytes.span))
        return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
      },
      samples: [
        sample { packet throws(FormatError) in try SessionTokenRequest(question, token: token.span).write(into: &packet) }
      ])
  }

  static let issueToken = Codec(
    name: "IssueTokenRequest",
    echo: { bytes throws(FormatError) in
      let request = try IssueTokenRequest(parsing: fields(of: .issueToken, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [(false, [], "a"), (true, thumbprint, "https://mail.example.org"), (true, [], text(FieldLimit.audience))].map {
      (isRefreshable: Bool, confirmation: [UInt8], audience: String) in
      let audience = Array(audience.utf8)
      return sample { packet throws(FormatError) in
        try IssueTokenRequest(
          token: token.span, isRefreshable: isRefreshable, confirmation: confirmation.span, audience: audience.span
        ).write(into: &packet)
      }
    })

  static let refreshToken = Codec(
    name: "RefreshTokenRequest",
    echo: { bytes throws(FormatError) in
      let request = try RefreshTokenRequest(parsing: fields(of: .refreshToken, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [[], thumbprint].map { confirmation in
      sample { packet throws(FormatError) in
        try RefreshTokenRequest(token: refresh.span, confirmation: confirmation.span).write(into: &packet)
      }
    })

  static let endRefresh = Codec(
    name: "EndRefreshRequest",
    echo: { bytes throws(FormatError) in
      let request = try EndRefreshRequest(parsing: fields(of: .endRefresh, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [sample { packet throws(FormatError) in try EndRefreshRequest(token: refresh.span).write(into: &packet) }])

  static let sealingKey = Codec(
    name: "SealingKeyRequest",
    echo: { bytes throws(FormatError) in
      let request = try SealingKeyRequest(parsing: fields(of: .sealingKey, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [0, 72, FieldLimit.wrappedKey].map { count in
      let wrapped = [UInt8](repeating: 0x77, count: count)
      return sample { packet throws(FormatError) in
        try SealingKeyRequest(token: token.span, wrapped: wrapped.span).write(into: &packet)
      }
    })

  static let issued = Codec(
    name: "IssuedReply",
    echo: { bytes throws(FormatError) in
      let reply = try IssuedReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: [([], "a.b.c"), (refresh, text(FieldLimit.accessToken))].map { (refresh: [UInt8], access: String) in
      let access = Array(access.utf8)
      return sample { packet throws(FormatError) in
        try IssuedReply(lifetime: 300, refreshToken: refresh.span, accessToken: access.span).write(into: &packet)
      }
    })

  static let sealingKeyReply = Codec(
    name: "SealingKeyReply",
    echo: { bytes throws(FormatError) in
      let reply = try SealingKeyReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: [1, 72, FieldLimit.wrappedKey].map { count in
      let wrapped = [UInt8](repeating: 0x77, count: count)
      return sample { packet throws(FormatError) in
        try SealingKeyReply(key: token.span, wrapped: wrapped.span).write(into: &packet)
      }
    })
}
