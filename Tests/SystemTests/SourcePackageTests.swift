import Foundation
import SignetTestKit
import Testing

/// What a distribution is given: sources that are built without a network, and a list of what is in the packages.
@Suite struct SourcePackageTests {
  private static let tools = Checkout.path + "/Sources/tools/packaging"
  private static let canPack =
    FileManager.default.fileExists(atPath: "/usr/bin/dh")
    && FileManager.default.fileExists(atPath: Checkout.path + "/.build/checkouts/swift-argument-parser")
    && (try? Command("/usr/bin/env", ["git", "-c", "safe.directory=*", "-C", Checkout.path, "rev-parse", "HEAD"]).status) == 0

  /// Of a folder: what a program says on a machine without a network.
  private func offline(_ folder: String, _ script: String) throws -> String {
    try Program.output(["unshare", "--net", "sh", "-euc", "cd '\(folder)' && \(script)"], environment: Checkout.environment)
  }

  @Test(
    .enabled(if: canPack, "there are no debhelper, no checkout of git or no checkout of what Signet depends on"),
    .enabled(if: geteuid() == 0, "only root takes the network away")
  )
  func `the source package has all that is compiled, and the same commit makes the same bytes`() throws {
    let folder = try makeTemporaryFolder("source")
    defer { removeTree(folder) }
    let pack = "cd '\(Checkout.path)' && \(Self.tools)/build-deb 0.1.0 source && cat .build/source/*.tar.xz | sha256sum"
    let sums = try (0..<2).map { _ in
      try Program.output(["sh", "-euc", pack], environment: Checkout.environment).split(separator: "\n").last
    }
    #expect(sums[0] == sums[1])
    _ = try offline(folder, "dpkg-source -x '\(Checkout.path)/.build/source/'*.dsc tree >/dev/null 2>&1")
    let swift = "SIGNET_VENDORED=yes '\(try Checkout.packageManager())'"
    let tree = try offline(folder, swift + " package --package-path tree show-dependencies --format flatlist")
    #expect(tree == "swift-argument-parser\n")
    #expect(FileManager.default.fileExists(atPath: folder + "/tree/swift-argument-parser/LICENSE.txt"))
  }

  @Test(
    .enabled(if: Checkout.release != nil, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"),
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/rpmbuild"), "there is no rpmbuild (rpm)")
  )
  func `rpmbuild packs what was built, each file once, all of them root's, and the scripts are a shell's`() throws {
    let folder = try makeTemporaryFolder("rpm")
    defer { removeTree(folder) }
    func run(_ script: String) throws -> [Substring] {
      try Program.output(["sh", "-euc", "cd '\(Checkout.path)' && \(script)"], environment: Checkout.environment)
        .split(separator: "\n")
    }
    // What the build takes is Debian's here, which rpm does not know. Packed quickly.
    _ = try run(
      "rpmbuild -bb --quiet --build-in-place --nodeps -D '_topdir \(folder)' -D '_tmppath \(folder)' "
        + "-D '_binary_payload w1.zstdio' Sources/tools/packaging/signet.spec >&2")
    let query = "rpm -qp --dbpath '\(folder)/database' '\(folder)'/RPMS/*/*.rpm --qf "
    let files = try run(query + "'[%{FILENAMES} %{FILEUSERNAME}:%{FILEGROUPNAME}\n]'").filter { !$0.contains("/licenses/") }
    #expect(Set(files).count == files.count && files.allSatisfy { $0.hasSuffix(" root:root") }, "\(files)")
    for file in ["/usr/libexec/signet/signetd", "/usr/lib64/security/pam_fprintd.so", "/etc/pam.d/signet-passcode"] {
      #expect(files.contains { $0.hasPrefix(file + " ") }, "\(file)")
    }
    #expect(!files.contains { $0.contains("/pam-configs") || $0.contains("/apparmor.d") })
    let provided = try run(query + "'[%{=NAME} %{PROVIDES}\n]'")
    #expect(provided.contains("signet-fprintd fprintd-pam"))
    let scripts = try run(query + "'%{POSTIN}\n%{PREUN}\n%{POSTUN}\n' | grep -v '^(none)$' | tee '\(folder)/scripts'")
    _ = try run("sh -n '\(folder)/scripts'")
    #expect(scripts.contains { $0.contains("try-reload-or-restart") } && !scripts.contains { $0.contains("%{") })
  }

  private struct Bill: Decodable {
    struct Component: Decodable { let name: String, version: String?, purl: String? }
    struct Dependency: Decodable { let ref: String, dependsOn: [String] }
    let bomFormat: String, components: [Component], dependencies: [Dependency]
  }

  /// Of each program what the linker brings has an entry, with the version of its package.
  @Test(.enabled(if: Checkout.release != nil, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
  func `the bill of materials names what each program is linked with, and what it loads`() throws {
    let folder = try makeTemporaryFolder("bill")
    defer { removeTree(folder) }
    let release = try #require(Checkout.release)
    let script = """
      mkdir -p tree/DEBIAN tree/usr/libexec
      cp '\(release)/signetd' '\(release)/signet-passcode' '\(release)/signet' tree/usr/libexec
      printf 'Package: test\\nVersion: 1\\nArchitecture: all\\nMaintainer: test\\nDescription: test\\n' > tree/DEBIAN/control
      dpkg-deb -Znone -b tree test.deb >/dev/null
      cd '\(Checkout.path)' && SOURCE_DATE_EPOCH=1 \(Self.tools)/bill-of-materials '\(folder)' 0.1.0
      """
    let text = try Program.output(["sh", "-euc", "cd '\(folder)'\n\(script)"], environment: Checkout.environment)
    let bill = try JSONDecoder().decode(Bill.self, from: Data(text.utf8))
    #expect(bill.bomFormat == "CycloneDX")
    func parts(of program: String) throws -> [String] {
      let row = try #require(bill.dependencies.first { $0.ref == "/usr/libexec/\(program)" })
      return bill.components.filter { row.dependsOn.contains($0.purl ?? $0.name) }.map(\.name)
    }
    #expect(try Set(parts(of: "signet-passcode")) == ["libc6", "libpam0g", "swift"])
    #expect(try Set(parts(of: "signetd")).isSuperset(of: ["libc6", "libsodium23", "swift"]))
    #expect(try Set(parts(of: "signet")).isSuperset(of: ["libc6", "libsodium23", "swift", "swift-argument-parser"]))
    #expect(bill.components.filter { $0.purl != nil }.allSatisfy { $0.version?.isEmpty == false })
  }

  /// Rows of REVIEW.md: a demand, where it is met, and a test that holds it.
  @Test func `what holds a reviewer's demands is there`() throws {
    let table = try String(contentsOfFile: Self.tools + "/REVIEW.md", encoding: .utf8)
    let rows = table.matches(of: /\| `(?<file>Tests\/[^`]+)`: (?<words>[^|]+?) \|/)
    #expect(rows.count >= 18)
    for row in rows {
      let source = try String(contentsOfFile: "\(Checkout.path)/\(row.file)", encoding: .utf8)
      #expect(source.contains(row.words), "\(row.words) is not in \(row.file)")
    }
  }
}
