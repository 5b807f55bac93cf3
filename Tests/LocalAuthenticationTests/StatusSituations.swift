import Foundation
import Security
import SignetContexts
import SignetTestKit
import SignetVocabulary

/// What leads to a result of the keychain: calls of a program, and what the owner does. The last call's result is meant.
struct Calls {
  /// In C and in Swift the same words, where C has them.
  var inC: [String]?
  var inSwift: [String]
  /// What C says where it has no such result.
  var statusInC: OSStatus?
  var owner: (TerminalProgram, Scene) throws -> Void = { _, _ in }
  var isWithoutSignetd = false

  init(
    _ words: String, inC: String? = nil, statusInC: OSStatus? = nil, isWithoutSignetd: Bool = false,
    owner: @escaping (TerminalProgram, Scene) throws -> Void = { _, _ in }
  ) {
    inSwift = words.split(separator: " ").map(String.init)
    self.inC = (inC ?? words).split(separator: " ").map(String.init)
    (self.statusInC, self.isWithoutSignetd, self.owner) = (statusInC, isWithoutSignetd, owner)
  }

  /// Of dictionaries, which C has not.
  static func onlyInSwift(_ words: String) -> Calls {
    var calls = Calls(words)
    calls.inC = nil
    return calls
  }
}

enum StatusTable {
  static var calls: [OSStatus: Calls] {
    [
      errSecSuccess: Calls("add mail horse 0 copy mail"),
      errSecItemNotFound: Calls("copy mail"),
      errSecDuplicateItem: Calls("add mail horse 0 add mail other 0"),
      errSecAuthFailed: Calls("add mail horse 2 copy mail") { try $0.miss(3, $1.reader) },
      errSecUserCanceled: Calls("add mail horse 1 copy mail") {
        try $0.touch("wrong", $1.reader)
        try $0.askPasscode()
        try $0.enterPasscode("")
      },
      errSecInteractionNotAllowed: Calls("add mail horse 2 context silent copy mail"),
      errSecNotAvailable: Calls("copy mail", isWithoutSignetd: true),
      errSecParam: Calls("odd unclassed", inC: "add mail horse 3"),
      errSecDataTooLarge: Calls("big mail 65537", statusInC: errSecParam),
      errSecAllocate: Calls("lack copy mail", inC: "big mail 65000 lack copy mail"),
      errSecDiskFull: Calls("add mail horse 0"),
      errSecUnimplemented: .onlyInSwift("odd token"),
      errSecMissingEntitlement: .onlyInSwift("odd group"),
      errSecNoSuchAttr: .onlyInSwift("odd attribute"),
      errSecNoSuchClass: .onlyInSwift("odd class"),
    ]
  }

  /// Given only where another program deletes an item in the moment after it was stored and before it is looked up.
  static let unprovoked: Set<OSStatus> = [errSecInternalComponent]

  /// All results that the sources name.
  static func given() throws -> Set<OSStatus> {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/applications/Security")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let texts = try Dictionary(
      uniqueKeysWithValues: files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) })
    var numbers: [Substring: OSStatus] = [:]
    for match in texts["StatusCodes.swift", default: ""].matches(of: /let (errSec\w+): OSStatus = (-?\d+)/) {
      numbers[match.1] = OSStatus(match.2)
    }
    var given = Set(mapped.map(\.rawValue))
    for text in texts.filter({ $0.key != "StatusCodes.swift" }).values {
      let code = text.split(separator: "\n").filter { !$0.contains("///") }.joined(separator: "\n")
      for match in code.matches(of: /errSec\w+/) { if let number = numbers[match.0] { given.insert(number) } }
    }
    return given
  }

  /// What comes of signetd's answers.
  private static var mapped: [ItemStatus] {
    let errors: [ContextError] =
      [
        .client(.silent), .cancelled(.user), .cancelled(.app), .cancelled(.system), .invalidated, .notInteractive, .unusable,
        .inUse,
        .noMemory,
      ] + RefusalCode.allCases.map { .refused($0) }
    return errors.map(ItemStatus.init)
  }
}
