extension JSONValue {
  /// The JSON text: no spaces, members in the order of their names' bytes, so that equal values are the same bytes. A
  /// `double` that is not finite becomes `null`.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array(String(value).utf8)
    case .double(let value): bytes += Array((value.isFinite ? "\(value)" : "null").utf8)
    case .string(let value): append(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): append(object, to: &bytes)
    }
  }

  private func append(_ object: JSONObject, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, name) in object.names.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      (object[name] ?? .null).append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += Array("\\u00".utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONObject {
  /// The JSON text of the object; see `JSONValue.encoded`.
  public var encoded: [UInt8] { JSONValue.object(self).encoded }
}

private let hexDigits = Array("0123456789abcdef".utf8)
