import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// What a request of the vault came to, and what was asked for on the way.
public struct VaultAnswer: Equatable, Sendable {
  public enum End: Equatable, Sendable {
    case done
    case refused(RefusalCode)
  }

  public enum Question: Equatable, Sendable {
    case finger
    case passcode(PasscodeReason)
  }

  public var end: End
  public var questions: [Question] = []
  /// What was released, if anything was.
  public var value: [UInt8]?
  public var items: [ItemRow] = []
  /// What was shown of programs that want what others stored.
  public var consents: [String] = []
  /// The refusal in words.
  public var explanation = ""
}

/// What a test proves when it is asked; what it has not it gives up on.
public struct Proving {
  /// Touches the reader; `nil`: the passcode instead, or a cancel.
  public var touch: (() throws -> Void)?
  public var passcode: String?
  /// For `PasscodeReason.oldPasscode`.
  public var oldPasscode: String?

  public init(touch: (() throws -> Void)? = nil, passcode: String? = nil, oldPasscode: String? = nil) {
    self.touch = touch
    self.passcode = passcode
    self.oldPasscode = oldPasscode
  }
}

extension LoginClient {
  /// Sends a request of the vault, with its value where it is asked for, and follows it to its end.
  public func ask(_ request: VaultRequest, value: [UInt8] = [], _ proving: Proving = Proving()) throws -> VaultAnswer {
    try send { packet in try request.write(into: &packet) }
    return try follow(value, proving)
  }

  /// Says that the user's passcode was changed.
  public func passcodeChanged(_ user: String, from old: String, to new: String) throws -> VaultAnswer {
    let (user, old, new) = (Array(user.utf8), Array(old.utf8), Array(new.utf8))
    try send { packet in
      try PasscodeChangedRequest(user: user.span, old: old.span, new: new.span).write(into: &packet)
    }
    return try follow([], Proving())
  }

  private func follow(_ value: [UInt8], _ proving: Proving) throws -> VaultAnswer {
    var answer = VaultAnswer(end: .done)
    var hasGivenUp = false
    while true {
      switch try nextVault() {
      case .value(let part): answer.value = (answer.value ?? []) + part
      case .other(let reply):
        switch reply {
        case .done: return answer
        case .refused(let refusal):
          (answer.end, answer.explanation) = (.refused(refusal.code), refusal.words)
          return answer
        case .item(let row): answer.items.append(row)
        case .askValue: try send(value: value)
        case .show(.consent, _, let programs): answer.consents.append(programs)
        case .show(.touchReader, _, _) where hasGivenUp: continue
        case .show(.touchReader, _, _):
          answer.questions.append(.finger)
          try touch(proving)
        // One that is not known is not tried again, and the next one that is asked for does not come.
        case .show(.notRecognised, _, _):
          hasGivenUp = true
          try cancel()
        case .askPasscode(let reason):
          answer.questions.append(.passcode(reason))
          let passcode = reason == .oldPasscode ? proving.oldPasscode : proving.passcode
          if let passcode { try self.answer(passcode: passcode) } else { try cancel() }
        default: continue
        }
      }
    }
  }

  private func touch(_ proving: Proving) throws {
    if let touch = proving.touch { try touch() } else if proving.passcode != nil { try fallback() } else { try cancel() }
  }

  private func send(value: [UInt8]) throws {
    for start in stride(from: 0, to: value.count, by: PacketLimit.valuePart) {
      let part = Array(value[start..<min(start + PacketLimit.valuePart, value.count)])
      try send { packet in try ValueRequest(part: part.span).write(into: &packet) }
    }
  }

  private enum Next {
    case value([UInt8])
    case other(AdministrationReply)
  }

  private func nextVault() throws -> Next { try receive(LoginClient.next) }

  private static func next(in packet: borrowing SecretBytes) throws -> Next {
    var fields = ByteReader(packet.span)
    guard try fields.header() == ReplyKind.value.rawValue else {
      return .other(try AdministrationReply(parsing: packet.span))
    }
    return .value(Array(copying: try ValueReply(parsing: packet.span).part))
  }
}
