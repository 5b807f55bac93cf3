import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Items that are renamed, edited, looked for, copied and given to a command, with a real signetd.
@Suite(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
struct ItemUseTests {
  private let scene: SignetScene

  /// A finger is enrolled, the vault open, and two items ask for it.
  init() throws {
    scene = try SignetScene()
    try #require(try scene.enroll(.leftThumb, as: "left").status == 0)
    let terminal = try scene.start(["vault", "add", "web", "alice", "--label", "Mail", "--comment", "mine"])
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      terminal.type("s3cret\n")
    }
    if geteuid() == 0 {
      try terminal.read(until: "asscode: ")
      terminal.type(RunningDaemon.passcode + "\n")
    }
    try #require(try scene.end(terminal).status == 0)
    try #require(try vault("add", "token", input: Array("t0ken".utf8)).status == 0)
    try #require(
      try vault("add", "plain", "--access", "none", "--accessible", "afterFirstUnlock", input: Array("0pen".utf8)).status == 0)
  }

  private func vault(_ words: String..., input: [UInt8]? = nil) throws -> Signet {
    try scene.signet(["vault"] + words, input: input)
  }

  private func start(_ words: [String], _ environment: [String] = []) throws -> PseudoTerminal {
    // In front of what is behind --.
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let all = [try Signet.path()] + words[..<end] + ["--socket", scene.daemon.socket] + words[end...]
    return try PseudoTerminal(all, environment: Signet.environment + environment)
  }

  private func touch(_ terminal: PseudoTerminal, _ scan: String = "left") throws {
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan(scan)
  }

  private func value(_ words: String...) throws -> String {
    let terminal = try start(["vault", "get", "--show"] + words)
    try touch(terminal)
    let screen = try scene.end(terminal).screen
    return String(screen.split(separator: "\r\n").last ?? "")
  }

  // MARK: - rename

  @Test func `a renamed item keeps all but its name, and takes one touch`() throws {
    let before = try vault("list", "web", "--json").output
    let terminal = try start(["vault", "rename", "web", "mail", "--account", "alice", "--new-account", "bob"])
    try touch(terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 0 && end.screen.hasSuffix("\r\nRenamed web, alice to mail, bob.\r\n"))
    let after = try vault("list", "mail", "--json").output
    for key in ["label", "comment", "access\"", "accessible", "connective"] {
      func line(_ text: String) -> Substring? { text.split(separator: "\n").first { $0.contains("\"\(key)") } }
      #expect(line(before) == line(after), "\(key)")
    }
    #expect(try vault("list", "web").status == 1)
    #expect(try value("mail", "bob") == "s3cret")
  }

  @Test func `without the finger nothing is renamed, and no other item is overwritten`() throws {
    let terminal = try start(["vault", "rename", "token", "other"])
    try touch(terminal, "right")
    try terminal.read(until: "2 attempts left")
    terminal.type("\u{3}")
    #expect(try scene.end(terminal).status == 130)
    let taken = try vault("rename", "token", "plain")
    #expect(taken.status == 1 && taken.errors.contains("there is such an item already"))
    #expect(try vault("rename", "nothing", "something").errors.contains("there is no item nothing"))
    #expect(try vault("list", "--json").output.split(separator: "\n").filter { $0.contains("\"service\"") }.count == 3)
    #expect(try vault("get", "plain").output == "0pen")
  }

  // MARK: - list

  @Test(arguments: [("MAIL", "web"), ("alic", "web"), ("ok", "token")])
  func `a list can be cut down to what has a text, in large or small letters`(text: String, service: String) throws {
    let lines = try vault("list", text).output.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix(service))
  }

  @Test func `a text that no item has is told`() throws {
    let run = try vault("list", "nowhere")
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors == "signet: no item has nowhere in its service, account or label.\n")
  }

  // MARK: - edit

  private func editor(_ script: String) throws -> (folder: TemporaryFolder, variables: [String]) {
    let folder = try TemporaryFolder(in: "/dev/shm")
    try RawFile.create("\(folder.path)/editor", Array("#!/bin/sh\n\(script)\n".utf8))
    chmod("\(folder.path)/editor", 0o700)
    return (folder, ["XDG_RUNTIME_DIR=\(folder.path)", "EDITOR=\(folder.path)/editor"])
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try Program.output(["find", folder.path, "-mindepth", "1", "-not", "-name", "editor", "-not", "-name", "seen"]).split(
      separator: "\n"
    ).map(String.init)
  }

  @Test func `an editor gets the secret in a file for the user alone, of which nothing stays`() throws {
    let (folder, variables) = try editor(
      "stat -c %a:%F \"$1\" $(dirname \"$1\") > $XDG_RUNTIME_DIR/seen; cp \"$1\" \"$1~\"; echo 'n3w s3cret' > \"$1\"")
    let terminal = try start(["vault", "edit", "web", "alice"], variables)
    try touch(terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 0 && end.screen.hasSuffix("Replaced web, alice.\r\n"), "\(end.screen)")
    #expect(try RawFile.text("\(folder.path)/seen") == "600:regular file\n700:directory\n")
    #expect(try files(folder) == [])
    // The newline is the editor's.
    #expect(try value("web", "alice") == "n3w s3cret")
    #expect(try vault("list", "Mail", "--json").output.contains("\"comment\" : \"mine\""))
  }

  @Test(arguments: [
    ("echo other > \"$1\"; exit 1", "did not end well"), (": > \"$1\"", "empty now"), ("rm \"$1\"", "cannot be edited"),
    ("head -c 70000 /dev/zero > \"$1\"", "longer than 65536"), ("rm \"$1\"; ln -s /etc/hostname \"$1\"", "cannot be edited"),
    (
      """
      p=$PPID; while [ "$(cat /proc/$p/comm)" != signet ]; do p=$(awk '/PPid/{print $2}' /proc/$p/status); done
      kill -TERM $p; echo other > "$1"
      """, ""
    ),
  ])
  func `an edit that came to nothing leaves the secret, and no file`(script: String, words: String) throws {
    let (folder, variables) = try editor(script)
    let terminal = try start(["vault", "edit", "plain"], variables)
    let end = try scene.end(terminal)
    #expect(end.status == (words.isEmpty ? -SIGTERM : 1) && (words.isEmpty || end.screen.contains(words)), "\(end.screen)")
    #expect(try files(folder) == [])
    #expect(try vault("get", "plain").output == "0pen")
  }

  @Test func `what was stored while the editor was open is not overwritten`() throws {
    let (folder, variables) = try editor(
      """
      echo 'mine' > "$1"; sleep 1.1
      printf theirs | \(try Signet.path()) vault update plain --label Theirs --socket \(scene.daemon.socket)
      """)
    let end = try scene.end(try start(["vault", "edit", "plain"], variables))
    #expect(end.status == 1 && end.screen.contains("was changed meanwhile"), "\(end.screen)")
    #expect(try vault("get", "plain").output == "theirs")
    #expect(try files(folder) == [])
  }

  @Test func `an editor that changes nothing replaces nothing`() throws {
    let (folder, variables) = try editor("true")
    let end = try scene.end(try start(["vault", "edit", "plain"], variables))
    #expect(end.status == 0 && end.screen == "plain is as it was.\r\n")
    #expect(try files(folder) == [])
  }

  /// The disk of the tests' own folder.
  @Test(.enabled(if: !isInMemory("/var/tmp"), "needs a /var/tmp on a disk"))
  func `where there is no place but a disk a new secret is typed`() throws {
    let folder = try TemporaryFolder(in: "/var/tmp")
    let terminal = try start(["vault", "edit", "plain"], ["XDG_RUNTIME_DIR=\(folder.path)", "EDITOR=/bin/false"])
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      terminal.type("typed\n")
    }
    #expect(try scene.end(terminal).status == 0)
    #expect(try vault("get", "plain").output == "typed")
  }

  // MARK: - run

  @Test func `one touch gives a command all its secrets, and nobody else`() throws {
    let terminal = try start([
      "run", "--env", "A=web/alice", "--env", "B=token", "--env", "C=plain", "--", "sh", "-c",
      "echo \"$A $B $C\"; tr '\\0' ' ' < /proc/$$/cmdline; exit 9",
    ])
    try touch(terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 9)
    #expect(end.screen.contains("\r\ns3cret t0ken 0pen\r\n"), "\(end.screen)")
    #expect(end.screen.components(separatedBy: "s3cret").count == 2)
    #expect(end.screen.components(separatedBy: "fingerprint reader").count == 2)
  }

  @Test func `where one secret is refused nothing is started`() throws {
    let folder = scene.daemon.folder
    #expect(try vault("add", "zero", "--access", "none", "--accessible", "afterFirstUnlock", input: [65, 0, 66]).status == 0)
    for (item, words) in [("token", "interact"), ("nothing", "there is no item nothing"), ("zero", "zero byte")] {
      let run = try Signet.run([
        "run", "--env", "A=plain", "--env", "B=\(item)", "--socket", scene.daemon.socket, "--", "touch", "\(folder)/started",
      ])
      #expect(run.status == 125 && run.output.isEmpty, "\(run.errors)")
      if item != "token" { #expect(run.errors.contains(words), "\(run.errors)") }
      #expect(access("\(folder)/started", F_OK) != 0)
    }
  }

  @Test func `a name that may mean two items starts nothing`() throws {
    #expect(try vault("add", "web/alice", input: [65]).status == 0)
    let run = try Signet.run(["run", "--env", "A=web/alice", "--socket", scene.daemon.socket, "--", "true"])
    #expect(run.status == 125 && run.errors.contains("several items"))
  }

  @Test(arguments: [(["/nowhere/command"], 127), (["/etc/passwd"], 126), (["false"], 1), (["true"], 0)] as [([String], Int32)])
  func `the exit status is the command's, or says that it could not be run`(command: [String], status: Int32) throws {
    let run = try Signet.run(["run", "--env", "A=plain", "--socket", scene.daemon.socket, "--"] + command)
    #expect(run.status == status)
    #expect(run.errors.contains(command[0]) == (status > 100))
  }

  // MARK: - copy

  private static let hasScreen = access("/usr/bin/Xvfb", X_OK) == 0 && access("/usr/bin/xclip", X_OK) == 0

  private func copy(_ name: String, _ words: [String], _ screen: VirtualScreen) throws -> Signet {
    try Signet.run(
      ["vault", "copy", name, "--socket", scene.daemon.socket] + words, environment: screen.environment)
  }

  /// xclip ends before the screen knows what it has.
  private func awaitClipboard(_ screen: VirtualScreen, _ text: String) throws {
    try wait(for: "\"\(text)\" in the clipboard") { (try? screen.control(["xclip", "-selection", "clipboard", "-o"])) == text }
  }

  @Test(.enabled(if: hasScreen, "needs Xvfb and xclip")) func `the clipboard has the secret, and after its time nothing`() throws
  {
    let screen = try VirtualScreen()
    let run = try copy("plain", [], screen)
    #expect(run.status == 0 && run.output == "Copied plain to the clipboard, for 30 seconds.\n", "\(run.errors)")
    try awaitClipboard(screen, "0pen")
    #expect(try copy("plain", ["--timeout", "1"], screen).status == 0)
    try awaitClipboard(screen, "")
  }

  @Test(.enabled(if: hasScreen, "needs Xvfb and xclip")) func `what was copied meanwhile stays in the clipboard`() throws {
    let screen = try VirtualScreen()
    // Before the keeper's time is over, on a busy machine, too.
    #expect(try copy("plain", ["--timeout", "5"], screen).status == 0)
    _ = try screen.control(["sh", "-c", "printf other | xclip -selection clipboard >/dev/null"])
    try awaitClipboard(screen, "other")
    // Its keeper has ended once nobody but the test has the folder's socket in its words.
    try wait(for: "the keeper's end") { (try? Program.output(["pgrep", "-f", "vault clear-clipboard --timeout 5"])) == nil }
    #expect(try screen.control(["xclip", "-selection", "clipboard", "-o"]) == "other")
  }

  @Test func `without a desktop, or a program for its clipboard, no finger is asked for`() throws {
    let words = ["vault", "copy", "web", "alice", "--socket", scene.daemon.socket]
    let run = try Signet.run(words)
    #expect(run.status == 1 && run.errors.contains("WAYLAND_DISPLAY"))
    let empty = try TemporaryFolder()
    for (display, package) in [("WAYLAND_DISPLAY=wayland-0", "wl-clipboard"), ("DISPLAY=:7", "xclip")] {
      let run = try Signet.run(words, environment: [display, "PATH=\(empty.path)"])
      #expect(run.status == 1 && run.errors.hasSuffix("Install the package \(package).\n"), "\(run.errors)")
    }
  }
}

private func isInMemory(_ path: String) -> Bool { (try? Program.output(["stat", "-f", "-c", "%T", path])) == "tmpfs\n" }
