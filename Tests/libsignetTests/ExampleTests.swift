import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Tests/Examples, each as its reader would build and start it, from an installed tree.
@Suite(.serialized) struct ExampleTests {
  private let scene: Scene
  private let folder: String
  private let examples = CProgram.source + "../Examples/"
  private var path: String { "PATH=" + String(cString: getenv("PATH")) }

  init() throws {
    // Each example is another program: the owner's consent to that is tested elsewhere.
    scene = try Scene(configuration: "application_consent = off")
    folder = scene.daemon.folder
    try scene.daemon.write("passcode", RunningDaemon.passcode)
    try scene.daemon.write("signet.pc", try pkgConfig())
  }

  /// From here on only the passcode will do: prompt.py answers it, and no finger has to be put down at the right moment.
  private func lock() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }

  /// As `make install` writes it.
  private func pkgConfig() throws -> String {
    let form = try RawFile.text(CProgram.source + "../../Sources/applications/libsignet/signet.pc.in")
    let library = try CProgram.folder.get()
    return form.replacing("@LIBDIR@", with: library).replacing("@VERSION@", with: "\(Version.text)").replacing(
      "@PREFIX@", with: "/usr"
    )
    .replacing("${includedir}/signet", with: CProgram.include)
  }

  private func flags(_ packages: String...) throws -> [String] {
    let words = ["pkg-config", "--cflags", "--libs"] + packages
    return try Program.output(words, environment: [path, "PKG_CONFIG_PATH=\(folder)"]).split { $0 == " " || $0 == "\n" }
      .map(String.init)
  }

  private func run(_ words: [String]) throws -> String {
    try lock()
    let environment =
      try CProgram.environment(scene.daemon.socket) + [
        "DISPLAY=:77", "SIGNET_PROMPT=\(CProgram.source)prompt.py", "SIGNET_TEST_FOLDER=\(folder)",
      ]
    return try Program.output(["setsid", "-w"] + words, environment: environment)
  }

  private func compile(_ words: [String]) throws {
    let compiler = try Program(words, environment: [path, "HOME=/tmp"], descriptors: [2: 2])
    guard try compiler.waitForExit() == 0 else { throw TestKitError("\(words) fails") }
  }

  @Test func `C keeps a key, and Python and Rust read it`() throws {
    try compile(["clang", "-o", folder + "/notes", examples + "notes.c"] + flags("signet"))
    #expect(try run([folder + "/notes"]) == "The key has 13 bytes: correct horse\n")
    #expect(try run(["python3", "-B", examples + "notes.py"]) == "The key has 13 bytes: correct horse\n")
    #expect(try RawFile.text(examples + "notes.py").split(separator: "\n", omittingEmptySubsequences: false).count <= 21)
    let library = ["-L", try CProgram.folder.get(), "-l", "signet"]
    try compile(["/usr/bin/rustc", "-o", folder + "/rust", examples + "notes.rs"] + library)
    #expect(try run([folder + "/rust"]) == "The key has 13 bytes: correct horse\n")
  }

  @Test func `GLib's main loop goes on while a finger is waited for`() throws {
    let other = try Scene()
    try compile(["clang", "-o", folder + "/mainloop", examples + "mainloop.c"] + flags("signet", "gio-2.0"))
    let lines = try Lines()
    let program = try Program(
      [folder + "/mainloop"], environment: try CProgram.environment(other.daemon.socket), descriptors: [1: lines.writer])
    try lines.read(until: "the fingerprint reader")
    try lines.read(until: "The loop goes on")
    try other.reader.scan("right")
    lines.readToEnd()
    #expect(try program.waitForExit() == 0)
    #expect(lines.text.hasSuffix("Hello, owner\n"))
  }
}
