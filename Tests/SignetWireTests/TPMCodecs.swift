import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension Codec {
  static let tpmRequest = Codec(
    name: "TPMRequest",
    echo: { bytes throws(FormatError) in
      let request = try TPMRequest(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [UInt32(1) << 7, 1, 0xFF_FFFF].map { pcrs in
      sample { packet throws(FormatError) in
        guard let key = secret(of: TPMRequest.keyLength) else { throw .tooLong }
        try TPMRequest(sealing: key, pcrs: pcrs).write(into: &packet)
      }
    }
      + [0, 300, TPMRequest.sealedLimit].map { count in
        let sealed = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in try TPMRequest(unsealing: sealed.span).write(into: &packet) }
      }
      + [false, true].map { makes in
        let authorization = [UInt8](repeating: 7, count: TPMRequest.keyLength)
        let count = TPMRequest.Count(index: 0x0181_2345, target: 1 << 40, makes: makes)
        return sample { packet throws(FormatError) in
          try TPMRequest(counting: count, authorization: authorization.span).write(into: &packet)
        }
      }
      + [false, true].map { agrees in
        sample { packet throws(FormatError) in try TPMRequest(makingSigningKey: (), agrees: agrees).write(into: &packet) }
      }
      + [0, 300, TPMRequest.sealedLimit].map { count in
        let digest = [UInt8](repeating: 8, count: TPMRequest.digestLength)
        let key = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in try TPMRequest(signing: digest, with: key.span).write(into: &packet) }
      }
      + [0, TPMRequest.sealedLimit].map { count in
        let point = [UInt8](repeating: 8, count: TPMAnswer.pointLength)
        let key = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in try TPMRequest(agreeingOn: point, with: key.span).write(into: &packet) }
      })

  static let tpmAnswer = Codec(
    name: "TPMAnswer",
    echo: { bytes throws(FormatError) in
      let answer = try TPMAnswer(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try answer.write(into: &packet) }
    },
    samples: TPMFault.allCases.map { fault in
      sample { packet throws(FormatError) in try TPMAnswer(failing: fault, code: 0x99D).write(into: &packet) }
    }
      + [
        (TPMAnswer.Kind.sealed, 0), (.sealed, TPMRequest.sealedLimit), (.unsealed, TPMRequest.keyLength),
        (.signed, TPMAnswer.signatureLength), (.agreed, TPMAnswer.sharedLength),
      ].map { kind, count in
        let content = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in try TPMAnswer(kind, content.span).write(into: &packet) }
      }
      + [0, 300, TPMRequest.sealedLimit].map { count in
        let point = [UInt8](repeating: 8, count: TPMAnswer.pointLength)
        let key = [UInt8](repeating: 7, count: count)
        return sample { packet throws(FormatError) in try TPMAnswer(signingKey: key.span, point: point).write(into: &packet) }
      }
      + [sample { packet throws(FormatError) in try TPMAnswer(counted: 1 << 40).write(into: &packet) }])

  private static func secret(of count: Int) -> SecretBytes? {
    guard var secret = SecretBytes(capacity: count) else { return nil }
    for _ in 0..<count where !secret.append(7) { return nil }
    return secret
  }
}
