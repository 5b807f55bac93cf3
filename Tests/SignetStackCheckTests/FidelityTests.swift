import SignetTestKit
import Testing

@testable import SignetStackCheck

/// libpam must treat a copy as it treats the original. Random stacks of pam_debug(8), which answers what its line says, are run
/// both as they are and as copies.
@Suite struct FidelityTests {
  @Test(arguments: 0..<60) func `libpam ends a copy as it ends the original`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      let scene = try Scene(RandomStack(&random).files)
      try scene.write("sudo", try scene.text("sudo").replacing("FOLDER", with: scene.folder))
      try scene.write("inner", try scene.text("inner").replacing("FOLDER", with: scene.folder))
      let host = try PAMHost(service: "sudo", user: "nobody", confdir: scene.folder)
      let original = host.authenticate(flags: 0x8000)
      let name = Self.words.first { $0.1 == original }?.0

      let stack = try StackReader(folder: scene.folder).stack(of: "sudo")
      let copy = try PrivateCopy(of: stack)
      defer { copy.remove() }
      let trials = try Trials(program: try ReaderChannel.program("signet-stack"), folder: copy.path)
      let answers = stack.entries.map { entry in
        ReturnName(rawValue: entry.arguments.first.map { String($0.dropFirst("auth=".count)) } ?? "") ?? .success
      }
      let missing = Set(stack.entries.filter { $0.module.name == "pam_nowhere.so" }.map(\.number))
      let trial = trials.run(answers, missing: missing)
      let texts = try "seed \(seed):\n\(scene.text("sudo"))\ninner:\n\(scene.text("inner"))"
      #expect(trial.result == name, "\(texts)")
      if missing.isEmpty, stack.faults.isEmpty {
        #expect(Explanation(trial, answers, of: stack).result == name, "\(texts)")
      }
    }
  }

  private static let words: [(ReturnName, Int32)] = [
    (.success, 0), (.permissionDenied, 6), (.authError, 7), (.authInfoUnavailable, 9), (.userUnknown, 10), (.tooManyTries, 11),
    (.newTokenRequired, 12), (.ignore, 25), (.abort, 26), (.moduleUnknown, 28), (.incomplete, 31), (.systemError, 4),
  ]
}

/// Lines of every form that pam.conf(5) has, and of forms that it has not.
struct RandomStack {
  var files: [String: String] = [:]

  private static let codes = [
    "success", "success", "auth_err", "authinfo_unavail", "user_unknown", "maxtries", "ignore", "abort", "new_authtok_reqd",
    "perm_denied", "system_err",
  ]
  private static let actions = ["ok", "done", "bad", "die", "ignore", "reset", "1", "2", "3", "9"]

  init(_ random: inout SeededGenerator) {
    files["sudo"] = RandomStack.text(&random, depth: 0)
    files["inner"] = RandomStack.text(&random, depth: 1)
    files["deep"] = RandomStack.text(&random, depth: 2)
    files["other"] = "auth required pam_debug.so auth=maxtries\n"
  }

  private static func text(_ random: inout SeededGenerator, depth: Int) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in line(&random, depth: depth) + "\n" }.joined()
  }

  private static func line(_ random: inout SeededGenerator, depth: Int) -> String {
    let file = depth == 0 ? "inner" : "deep"
    switch Int.random(in: 0..<20, using: &random) {
    case 0 where depth < 2: return "@include FOLDER/\(file)"
    case 1 where depth < 2: return "auth include FOLDER/\(file)"
    case 2,
      3 where depth < 2:
      return "auth substack FOLDER/\(file)"
    case 4: return "account required pam_debug.so # auth required pam_permit.so"
    case 5: return "# auth sufficient pam_debug.so auth=success"
    case 6: return "auth \(control(&random)) pam_nowhere.so"
    case 7:
      return ["auth", "auth required", "nonsense required pam_debug.so", "-auth [success=", "auth [] pam_debug.so"].randomElement(
        using: &random) ?? ""
    case 8: return "-AUTH \\\n   \(control(&random)) \\\n # between\n pam_debug.so auth=\(code(&random))"
    default: return "auth\t\(control(&random)) pam_debug.so auth=\(code(&random))"
    }
  }

  private static func code(_ random: inout SeededGenerator) -> String { codes.randomElement(using: &random) ?? "" }

  private static func control(_ random: inout SeededGenerator) -> String {
    if Bool.random(using: &random) {
      return ["required", "requisite", "sufficient", "optional", "Required", "[required]"].randomElement(using: &random) ?? ""
    }
    var pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      "\(code(&random))=\(actions.randomElement(using: &random) ?? "")"
    }
    if Bool.random(using: &random) { pairs.append("default = \(actions.randomElement(using: &random) ?? "")") }
    if Int.random(in: 0..<12, using: &random) == 0 { pairs.append("mistake") }
    return "[\(pairs.shuffled(using: &random).joined(separator: " "))]"
  }
}
