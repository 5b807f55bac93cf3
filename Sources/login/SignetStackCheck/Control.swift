/// What libpam does with a module's answer (pam.conf(5)).
enum Action: Hashable, Sendable {
  case ignore, ok, done, bad, die, reset
  /// Skips this many modules.
  case jump(Int)
}

/// The control field of a line: an action for each return code. This reading only serves to choose and explain runs. In a run
/// libpam reads the field itself, and a result that this reading does not explain is reported as a fault (`StackProver`).
struct Control: Equatable, Sendable {
  private var actions: [ReturnName: Action] = [:]
  /// libpam turns a field that it cannot read into "bad" for every code.
  private(set) var isReadable = true

  init(_ field: [UInt8]) {
    switch String(decoding: field, as: UTF8.self).lowercased() {
    case "required": keyword(.bad)
    case "requisite": keyword(.die)
    case "optional": keyword(.ignore)
    case "sufficient":
      keyword(.ignore)
      actions[.success] = .done
      actions[.newTokenRequired] = .done
    default: read(field[...])
    }
  }

  subscript(_ code: ReturnName) -> Action { actions[code] ?? .bad }

  private mutating func keyword(_ otherwise: Action) {
    fill(otherwise)
    actions[.success] = .ok
    actions[.newTokenRequired] = .ok
    actions[.ignore] = .ignore
  }

  /// Gives the codes that have no action yet this one.
  private mutating func fill(_ action: Action) {
    for code in ReturnName.allCases where actions[code] == nil { actions[code] = action }
  }

  /// `code=action` pairs. libpam compares beginnings only, so blanks between pairs may be missing.
  private mutating func read(_ field: ArraySlice<UInt8>) {
    var rest = field.drop(while: isSpace)
    while !rest.isEmpty {
      guard let name = Control.take(&rest, of: Control.codeWords), Control.takeEquals(&rest),
        let action = Control.takeAction(&rest)
      else {
        isReadable = false
        actions = [:]
        return
      }
      if let code = ReturnName(rawValue: name) { actions[code] = action } else { fill(action) }
      rest = rest.drop(while: isSpace)
    }
  }

  private static var codeWords: [String] { ReturnName.allCases.map(\.rawValue) + ["default"] }

  private static let actionWords: [(String, Action)] = [
    ("ignore", .ignore), ("ok", .ok), ("done", .done), ("bad", .bad), ("die", .die), ("reset", .reset),
  ]

  private static func take(_ rest: inout ArraySlice<UInt8>, of words: [String]) -> String? {
    guard let word = words.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
    rest = rest.dropFirst(word.utf8.count)
    return word
  }

  private static func takeEquals(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest = rest.drop(while: isSpace)
    guard rest.first == UInt8(ascii: "=") else { return false }
    rest = rest.dropFirst().drop(while: isSpace)
    return true
  }

  private static func takeAction(_ rest: inout ArraySlice<UInt8>) -> Action? {
    if let word = take(&rest, of: actionWords.map(\.0)) { return actionWords.first { $0.0 == word }?.1 }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    // However libpam reads a number of a million and more, it leads beyond the end of any stack.
    let number = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000) }
    return number > 0 ? .jump(number) : nil
  }
}

/// isspace(3) in the C locale.
private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 9...13 ~= byte }
