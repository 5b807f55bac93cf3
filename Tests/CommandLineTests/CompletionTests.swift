import Glibc
import SignetTestKit
import Testing

/// What Tab gives, in real shells.
@Suite struct CompletionTests {
  private let scene: SignetScene
  private let folder: String

  init() throws {
    scene = try SignetScene()
    folder = scene.daemon.folder
    for shell in ["bash", "zsh", "fish"] {
      let script = try Signet.run(["--generate-completion-script", shell])
      try RawFile.create("\(folder)/completion.\(shell)", script.bytes)
    }
  }

  private func shell(_ words: [String]) throws -> String {
    let program = try Signet.path()
    let own = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
    return try Program.output(words, environment: ["PATH=\(own):/usr/bin:/bin", "HOME=\(folder)", "TERM=dumb", "LC_ALL=C.UTF-8"])
  }

  /// As bash(1) calls a completion function, with the last word still empty.
  private func bash(_ command: String, _ option: String = "") throws -> Set<String> {
    let line = "signet \(command) --socket \(scene.daemon.socket) \(option)"
    let script = """
      . \(folder)/completion.bash; COMP_WORDS=(\(line) ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}; _signet signet '' "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}"
      """
    return Set(try shell(["bash", "--norc", "-c", script]).split(separator: "\n").map { String($0).trimmed })
  }

  @Test func `bash completes the fingers that are enrolled, and no others`() throws {
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    let found = try bash("delete")
    #expect(found.contains("left-thumb") && !found.contains("right-thumb"), "\(found)")
    #expect(try bash("enroll").isSuperset(of: ["left-thumb", "right-thumb"]))
  }

  @Test func `bash completes readers, users and PAM's services`() throws {
    let listed = try scene.signet(["readers", "--json"]).output
    let readers = try bash("enroll", "--reader").filter { !$0.isEmpty && listed.contains($0) }
    #expect(!readers.isEmpty)
    #expect(try bash("reset").contains("root"))
    #expect(try bash("check-pam").contains("other"))
  }

  @Test func `bash completes the items of the vault, and accounts of the one that was typed`() throws {
    let terminal = try scene.start(["vault", "add", "mail.example.org", "alice"])
    for (question, answer) in [("Secret: ", "s3cret"), ("Secret again: ", "s3cret"), ("asscode: ", RunningDaemon.passcode)] {
      try terminal.read(until: question)
      terminal.type(answer + "\n")
    }
    try #require(try scene.end(terminal).status == 0)
    for command in ["get", "edit", "rename", "copy", "delete"] {
      #expect(try bash("vault \(command)").contains("mail.example.org"), "\(command)")
    }
    #expect(try bash("vault edit mail.example.org").contains("alice"))
  }

  @Test func `a signetd that is not there completes nothing and says nothing`() throws {
    scene.daemon.end(SIGTERM)
    let found = try bash("delete")
    #expect(found.allSatisfy { $0.isEmpty || $0.hasPrefix("-") }, "\(found)")
  }

  // These two complete on a terminal only.

  @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0, "needs zsh")) func `zsh takes its script`() throws {
    #expect(try shell(["zsh", "-f", "-n", "\(folder)/completion.zsh"]).isEmpty)
    #expect(try RawFile.text("\(folder)/completion.zsh").hasPrefix("#compdef signet\n"))
  }

  @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0, "needs fish")) func `fish takes its script`() throws {
    #expect(try shell(["fish", "--no-config", "-n", "\(folder)/completion.fish"]).isEmpty)
    #expect(try RawFile.text("\(folder)/completion.fish").contains("complete -c 'signet'"))
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
