import Foundation
import SignetTestKit
import Testing

private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// What `make install-files` installs for programs in Swift, as libsignet-swift-dev has it: a library that imports Foundation only and
/// has never heard of Signet is built with it, and keeps something in a real signetd.
@Suite(.serialized, .enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct PrebuiltTests {
  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL.path
  private static let library = "\(checkout)/Tests/AppleStyle/Libraries/PlainByFlag/Plain.swift"
  private static let program = """
    try Secrets.save(Data("kept".utf8), server: "example.com", account: "ada")
    print(String(decoding: try Secrets.load(server: "example.com", account: "ada"), as: UTF8.self))
    do { _ = try Secrets.load(server: "example.com", account: "bob") } catch { print(error.localizedDescription) }

    """
  private static let foundationBrings = ["-Xfrontend", "-import-module", "-Xfrontend", "Security"]

  private let root: String
  private let compiling: [String]
  private let linking: [String]

  init() throws {
    root = try makeTemporaryFolder("prebuilt")
    try Self.run(
      "make", "-s", "-C", Self.checkout, "install-files", "DESTDIR=\(root)", "LIBDIR=/lib", "PAMDIR=/modules",
      "RELEASE=\(release)")
    compiling = try Self.flags("--cflags", root)
    linking = try Self.flags("--libs", root)
  }

  @Test(.timeLimit(.minutes(4)), arguments: languageModes) func `swiftc builds it by what pkg-config says`(mode: Int) throws {
    defer { removeTree(root) }
    try write("import Foundation\n" + Self.program, "main.swift")
    try Self.run(
      ["swiftc", "-swift-version", "\(mode)", "-o", "\(root)/program"] + compiling + linking + Self.foundationBrings
        + [Self.library, "\(root)/main.swift"])
    try keepsSomething("\(root)/program")
  }

  /// Neither package names Signet.
  @Test(.timeLimit(.minutes(4))) func `swift build takes it for a package and for what that depends on`() throws {
    defer { removeTree(root) }
    let package = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "NAME", PRODUCTS)
      """
    let plain = #"products: [.library(name: "Plain", targets: ["Plain"])], targets: [.target(name: "Plain")]"#
    let user = #"""
      dependencies: [.package(path: "../plain")],
      targets: [.executableTarget(name: "user", dependencies: [.product(name: "Plain", package: "plain")])]
      """#
    try write(package.replacing("NAME", with: "plain").replacing("PRODUCTS", with: plain), "plain/Package.swift")
    try write(try String(contentsOfFile: Self.library, encoding: .utf8), "plain/Sources/Plain/Plain.swift")
    try write(package.replacing("NAME", with: "user").replacing("PRODUCTS", with: user), "user/Package.swift")
    try write("import Foundation\nimport Plain\n" + Self.program, "user/Sources/user/main.swift")
    try Self.run(
      ["swift", "build", "--package-path", "\(root)/user"]
        + (compiling + Self.foundationBrings).flatMap { ["-Xswiftc", $0] } + linking.flatMap { ["-Xlinker", $0] })
    try keepsSomething("\(root)/user/.build/debug/user")
  }

  private func keepsSomething(_ program: String) throws {
    let scene = try Scene()
    try scene.openSession()
    let lines = try TerminalProgram(
      [program], environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)", "SWIFT_BACKTRACE=enable=no"]
    ).lines()
    #expect(lines == ["kept", "The specified item could not be found in the keychain."])
  }

  private func write(_ text: String, _ name: String) throws {
    let file = URL(fileURLWithPath: "\(root)/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private static func flags(_ which: String, _ root: String) throws -> [String] {
    let words = try run("pkg-config", "--define-variable=libdir=\(root)/lib", which, "\(root)/lib/pkgconfig/signet-swift.pc")
    return words.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @discardableResult
  private static func run(_ words: String...) throws -> String { try run(words) }

  /// What the program prints; it must succeed.
  @discardableResult
  private static func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words): \(text)")
    return text
  }
}
