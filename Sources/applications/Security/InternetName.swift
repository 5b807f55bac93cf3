import SignetBytes

// The name of an internet password in the vault, which has two parts as every item's: the account, and one text for all that
// says where: server, protocol, port, path, security domain and authentication type, with "|" between them and none at the end.
// In each, "|", "%" and what is not printable ASCII stand as "%" and two hexadecimal digits. A port of 0 is none. So each name
// has one text, and each text one name: "example.com|htps|8443|/login".

enum InternetName {
  private static let keys = ["srvr", "ptcl", "port", "path", "sdmn", "atyp"]

  /// The text of these attributes.
  static func service(of attributes: Attributes) -> String {
    var parts = keys.map { key in
      attributes[key].map { $0.isNothing ? "" : escaped($0.bytes) } ?? ""
    }
    while parts.last == "" { parts.removeLast() }
    return parts.joined(separator: "|")
  }

  /// The attributes that this text says; `nil` where it is none of such texts.
  static func attributes(of service: String) -> Attributes? {
    let parts = service.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count <= keys.count else { return nil }
    var attributes: Attributes = [:]
    for (key, part) in zip(keys, parts) where !part.isEmpty {
      guard let bytes = unescaped(part), let text = String(validating: bytes, as: UTF8.self) else { return nil }
      if key == "port" {
        guard let number = Int64(text) else { return nil }
        attributes[key] = .number(number)
      } else {
        attributes[key] = .text(text)
      }
    }
    return InternetName.service(of: attributes) == service ? attributes : nil
  }

  static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if (33..<127).contains(byte), byte != UInt8(ascii: "|"), byte != UInt8(ascii: "%") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + [byte].hexadecimal
      }
    }
    return text
  }

  static func unescaped(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
