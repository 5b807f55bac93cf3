import Foundation
import SignetTestKit
import Testing

/// A program elsewhere that names this package by a version, as any program does.
@Suite struct DependencyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "app",
      dependencies: [.package(url: "file://FOLDER/signet", from: "0.1.0")],
      targets: [
        .executableTarget(
          name: "app",
          dependencies: [
            .product(name: "LocalAuthentication", package: "signet"), .product(name: "Security", package: "signet"),
          ]),
        .executableTarget(
          name: "services",
          dependencies: [
            .product(name: "SignetAuth", package: "signet"), .product(name: "SignetJWT", package: "signet"),
            .product(name: "SignetState", package: "signet"),
          ]),
      ])
    """

  private static let source = """
    import LocalAuthentication
    import Security

    let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "nobody"] as CFDictionary
    print("item", SecItemCopyMatching(query, nil) == errSecItemNotFound)
    print("unlocked", try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock the app"))
    """

  private static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// The other products are in the manifest for SwiftPM to look at: it takes no unsafe flags of theirs.
  @Test func `a program elsewhere depends on a version of this package, compiles nobody else's, and asks for a finger`() throws {
    let folder = try makeTemporaryFolder("dependency")
    defer { removeTree(folder) }
    let files = FileManager.default
    for name in ["app", "services"] {
      try files.createDirectory(atPath: "\(folder)/app/Sources/\(name)", withIntermediateDirectories: true)
    }
    try files.createDirectory(atPath: folder + "/signet", withIntermediateDirectories: true)
    for part in ["Package.swift", "Sources", "Tests"] {
      try files.copyItem(atPath: DependencyTests.root + part, toPath: "\(folder)/signet/\(part)")
    }
    let git = ["git", "-C", folder + "/signet", "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for words in [["init", "-q"], ["add", "-A"], ["commit", "-qm", "test"], ["tag", "0.1.0"]] {
      _ = try Program.output(git + words, environment: Checkout.environment)
    }
    try DependencyTests.write(
      DependencyTests.manifest.replacing("FOLDER", with: folder), to: folder + "/app/Package.swift")
    try DependencyTests.write(DependencyTests.source, to: folder + "/app/Sources/app/main.swift")
    try DependencyTests.write("", to: folder + "/app/Sources/services/main.swift")
    _ = try Program.output(
      [try Checkout.packageManager(), "build", "--package-path", folder + "/app", "--product", "app"],
      environment: Checkout.environment)
    let fetched = try files.contentsOfDirectory(atPath: folder + "/app/.build/checkouts")
    #expect(Set(fetched).isSubset(of: ["signet", "swift-argument-parser"]))
    let compiled = try files.contentsOfDirectory(atPath: folder + "/app/.build/debug/Modules")
    #expect(compiled.contains("LocalAuthentication.swiftmodule"))
    #expect(!compiled.contains { $0.hasPrefix("ArgumentParser") })

    let scene = try Scene()
    let terminal = try PseudoTerminal(
      [folder + "/app/.build/debug/app"], environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)"])
    try terminal.read(until: "item true")
    try terminal.read(until: "the fingerprint reader")
    try scene.reader.scan("right")
    try terminal.read(until: "unlocked true")
    #expect(try terminal.waitForExit() == 0)
  }
}
