import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// What is installed, and how heavy it is.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct WeightGates {
  /// In Embedded Swift.
  static let small = [
    "signet-passcode", "signet-tpm", "signet-stack", "signet-logind", "signet-prompt", "signet-fprint", "signet-secrets",
    "signet-hid", "signet-passkey",
  ]
  static let installed =
    small + [
      "signetd", "signet-reader", "signet-agent", "signet", "libpam_signet.so", "libpam_fprintd.so", "libsignet0.so",
      "libsignet-pkcs11.so",
    ]

  @Test func `stripped, all files together have at most 45 MB, and none has more than 20`() throws {
    let sizes = try Self.installed.map { ($0, try strippedSize(of: "\(release)/\($0)")) }
    for (name, size) in sizes { #expect(size <= 20_000_000, "\(name): \(size) bytes") }
    // What is for developers takes three and a half million bytes, catalogues and manual pages one.
    #expect(sizes.reduce(0) { $0 + $1.1 } <= 40_500_000, "\(sizes)")
  }

  @Test(arguments: small) func `a program in Embedded Swift has at most 400 KB`(name: String) throws {
    #expect(try strippedSize(of: "\(release)/\(name)") <= 400_000)
  }

  /// Some of the standard library's ways to look for a text in another bring it; `includes` in SignetBytes does not. ArgumentParser's
  /// Foundation needs it anyway.
  @Test(arguments: ["signetd", "signet-reader", "signet-agent"])
  func `no program has an engine of regular expressions in it, which is 2 MB`(name: String) throws {
    #expect(try run("sh", "-c", "nm '\(release)/\(name)' | grep -c _RegexParser || true") == ["0"])
  }

  /// One that we brought could be mended by our own releases only.
  @Test(arguments: installed)
  func `no file has a TLS library in it, and none needs one before it makes a request`(name: String) throws {
    // libcurl is asked for by its name; what it has of these is its own.
    let marks = "BoringSSL|OPENSSL_init_ssl|SSL_CTX_new|gnutls_init|mbedtls_ssl_init"
    #expect(try run("sh", "-c", "grep -acE '\(marks)' '\(release)/\(name)' || true") == ["0"])
    let needed = try run("readelf", "--dynamic", "--wide", "\(release)/\(name)").filter { $0.contains("(NEEDED)") }
    for library in ["libssl", "libcrypto", "libgnutls", "libcurl"] { #expect(!needed.contains { $0.contains(library) }) }
  }
}
