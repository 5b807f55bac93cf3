import SignetBytes
import SignetMemory
import SignetSealing
import SignetSessionTokens
import SignetTokenServices

/// The value of a sign-in's item in the vault: the key of what may be handed over to it, the device's key, and the text, which is the
/// service's. Written as `2`, two keys in hexadecimal digits, `-` for none, and the text, with a space between each. Before that there
/// were the device's key and the text, or, for a device without one, the text alone, which begins with a brace.
struct SealedSignIn {
  /// In hexadecimal digits.
  var handoverKey: String?
  var deviceKey: String?
  var text: String

  init(handoverKey: String?, deviceKey: String?, text: String) {
    (self.handoverKey, self.deviceKey, self.text) = (handoverKey, deviceKey, text)
  }

  init(_ value: String) throws(TokenStorageError) {
    let parts = value.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 4, parts[0] == "2" {
      self.init(handoverKey: parts[1] == "-" ? nil : parts[1], deviceKey: parts[2] == "-" ? nil : parts[2], text: parts[3])
    } else if value.hasPrefix("{") {
      self.init(handoverKey: nil, deviceKey: nil, text: value)
    } else if let space = value.firstIndex(of: " "), value.distance(from: value.startIndex, to: space) == 64 {
      self.init(handoverKey: nil, deviceKey: String(value[..<space]), text: String(value[value.index(after: space)...]))
    } else {
      throw .damaged
    }
  }

  var value: String { ["2", handoverKey ?? "-", deviceKey ?? "-", text].joined(separator: " ") }
}

extension SealingKey {
  /// From hexadecimal digits.
  init?(hexadecimal digits: String) {
    guard let bytes = SecretBytes(hexadecimal: digits, count: SealingKey.length) else { return nil }
    self.init(bytes)
  }
}
