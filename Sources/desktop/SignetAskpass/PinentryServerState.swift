import SignetBytes
import SignetVocabulary

/// What gpg-agent has said in this conversation, and whether a kept passphrase may answer it.
struct PinentryServerState {
  enum Step: Equatable {
    /// It is the real pinentry's.
    case relay
    /// Answer with this item, if it is there.
    case release(ItemName)
    /// gpg-agent wants to know whom to signal.
    case tellPid
    /// The last command, which is the real pinentry's, too.
    case end
  }

  private var keygrip: String?
  /// An error is shown: what was answered before was wrong.
  private var isRetry = false
  /// A new passphrase is asked for, twice.
  private var isNew = false
  private var isReleased = false
  private var word = ""

  /// A command, without its end. Commands have any case (the manual of libassuan, "Client requests").
  mutating func take(_ line: Span<UInt8>) -> Step {
    let text = String(decoding: Array(copying: line), as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    word = parts.first?.uppercased() ?? ""
    let rest = parts.count > 1 ? String(parts[1]) : ""
    switch word {
    case "SETKEYINFO": keygrip = PinentryServerState.keygrip(rest)
    case "SETERROR": isRetry = true
    case "SETREPEAT": isNew = true
    case "RESET": (keygrip, isRetry, isNew) = (nil, false, false)
    case "GETINFO": if rest == "pid" { return .tellPid }
    case "BYE": return .end
    case "GETPIN":
      // Texts are for one question each.
      defer { (isRetry, isNew) = (false, false) }
      guard let keygrip, !isRetry, !isNew, !isReleased else { return .relay }
      isReleased = true
      return .release(ItemName(service: "gpg", account: keygrip))
    default: break
    }
    return .relay
  }

  /// `n/` for a key of GnuPG's, `s/` for one that its agent has for ssh, and the keygrip.
  private static func keygrip(_ text: String) -> String? {
    guard text.hasPrefix("n/") || text.hasPrefix("s/") else { return nil }
    let grip = String(text.dropFirst(2))
    let isGrip = grip.utf8.count == 40 && grip.utf8.allSatisfy { (48...57).contains($0) || (65...70).contains($0) }
    return isGrip ? grip : nil
  }

  /// What is said to the last command where there is no real pinentry: it could be shown, but never asked.
  var answerWithoutPinentry: String {
    switch word {
    // GPG_ERR_NO_PIN_ENTRY, of pinentry.
    case "GETPIN", "CONFIRM", "MESSAGE": "ERR \(5 << 24 | 86) No pinentry"
    default: "OK"
    }
  }

  /// Whether this ends the answer to an inquiry.
  static func endsInquiry(_ line: Span<UInt8>) -> Bool {
    let word = String(decoding: Array(copying: line), as: UTF8.self).uppercased()
    return word == "END" || word == "CAN" || word.hasPrefix("CAN ")
  }
}
