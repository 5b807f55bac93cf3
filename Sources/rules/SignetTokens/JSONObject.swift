/// A JSON object (RFC 8259) that is written member by member. signetd reads no JSON, and needs no more than this to write it.
struct JSONObject {
  private var members = ""

  var text: String { "{" + members + "}" }

  mutating func add(_ name: String, _ value: String) { add(name, verbatim: JSONObject.quoted(value)) }
  mutating func add(_ name: String, _ value: UInt64) { add(name, verbatim: "\(value)") }
  mutating func add(_ name: String, _ values: [String]) {
    add(name, verbatim: "[" + values.map(JSONObject.quoted).joined(separator: ",") + "]")
  }
  mutating func add(_ name: String, _ value: JSONObject) { add(name, verbatim: value.text) }

  /// `json` is JSON already.
  mutating func add(_ name: String, verbatim json: String) {
    members += (members.isEmpty ? "" : ",") + JSONObject.quoted(name) + ":" + json
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
