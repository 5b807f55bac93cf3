import SignetTestKit
import Testing

/// The ways in which a program evaluates and calls the keychain: C, a completion handler, `await`; Swift in both language modes.
enum Form: String, CaseIterable, CustomTestStringConvertible {
  case inC = "C"
  case completion5, completion6, async5, async6

  var testDescription: String { rawValue }
  /// Of Swift's.
  var mode: Int { rawValue.hasSuffix("5") ? 5 : 6 }
  var isAsync: Bool { rawValue.hasPrefix("async") }
}

/// What a program sets before it evaluates.
enum Setting: Hashable {
  /// Nobody may be asked.
  case silent
  /// The context is invalidated before.
  case invalid
  /// The context is invalidated once a line is typed.
  case invalidatedWhenTyped
  /// A second evaluation begins once a line is typed.
  case againWhenTyped
  case reuse(Int)

  fileprivate var inC: [String] {
    switch self {
    case .silent: ["silent"]
    case .invalid: ["invalidate"]
    case .invalidatedWhenTyped: ["typed", "invalidate"]
    case .againWhenTyped: ["typed", "again"]
    case .reuse(let seconds): ["reuse", "\(seconds)"]
    }
  }

  fileprivate var inSwift: String {
    switch self {
    case .silent: "silent"
    case .invalid: "invalid"
    case .invalidatedWhenTyped: "invalidate"
    case .againWhenTyped: "again"
    case .reuse(let seconds): "reuse=\(seconds)"
    }
  }
}

extension Form {
  /// A program that evaluates once.
  func evaluating(_ policy: Int, _ settings: [Setting] = [], at socket: String) throws -> TerminalProgram {
    guard self != .inC else {
      return try FormProgram.inC(settings.flatMap(\.inC) + ["evaluate", "\(policy)"], at: socket)
    }
    let words = ["evaluate", isAsync ? "async" : "completion", "\(policy)"] + settings.map(\.inSwift)
    return try TerminalProgram(words, mode: mode, socket: socket)
  }

  /// A program that makes these calls of the keychain, in a context where it sets something of it.
  func calling(_ words: [String], at socket: String) throws -> TerminalProgram {
    guard self != .inC else { return try FormProgram.inC(words.filter { $0 != "context" }, at: socket) }
    return try TerminalProgram(["items", isAsync ? "task" : "sync"] + words, mode: mode, socket: socket)
  }

  /// What comes of a request that the program tells of by this word: 0 for a success, the number of its error otherwise.
  func outcome(_ program: TerminalProgram, of word: String) throws -> Int {
    let words = try program.line(beginning: word + " ").dropFirst(word.count + 1).split(separator: " ")
    if words.first == "true" || words.first == "ok" { return 0 }
    // In C: error DOMAIN CODE TEXT.
    guard words.count > 2 || self != .inC, let code = Int(self == .inC ? words[2] : words[words.count - 1]) else {
      throw TestKitError("no outcome: \(words)")
    }
    return self == .inC && words[1] == "3" ? Form.system(code) : code
  }

  /// How `outcome` tells of an error of errno(3).
  static func system(_ code: Int) -> Int { code + 1_000_000 }

  /// What the program tells of an evaluation.
  var evaluated: String { self == .inC ? "evaluate" : "evaluated" }
}

private enum FormProgram {
  /// The client of libsignetTests, which asks as the library does by itself.
  static func inC(_ words: [String], at socket: String) throws -> TerminalProgram {
    try TerminalProgram(
      [try CProgram.folder.get() + "/client", "default"] + words, environment: try CProgram.environment(socket))
  }
}
