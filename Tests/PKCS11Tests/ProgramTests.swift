import Foundation
import Glibc
import SignetTestKit
import Testing

private let hasServer = access("/usr/sbin/sshd", X_OK) == 0

/// Programs that others wrote, with the module as they find it: none of them asks for a PIN.
@Suite(.serialized) struct ProgramTests {
  private let token: TokenScene

  init() throws {
    token = try TokenScene()
    try "text".write(toFile: token.folder.path + "/file", atomically: true, encoding: .utf8)
  }

  /// Runs it to its end; it must succeed, and ask for no PIN.
  @discardableResult
  private func run(_ command: String, _ more: [String] = [], touches: [String] = []) throws -> String {
    let end = try token.run(command, more, touches: touches)
    #expect(end.status == 0, "\(end.screen)")
    #expect(!end.screen.lowercased().contains("enter pin") && !end.screen.contains("PIN for"), "\(end.screen)")
    return end.screen
  }

  private let publicKey = "pkcs11-tool --module $MODULE -r --type pubkey --label laptop -o key.der && "

  // MARK: - pkcs11-tool

  @Test func `pkcs11-tool lists the key, and what it signs openssl verifies`() throws {
    let list = try run("pkcs11-tool --module $MODULE -O")
    #expect(list.contains("Private Key Object; EC") && list.contains("label:      laptop"), "\(list)")
    #expect(list.contains("sensitive, always sensitive, never extractable, local"))
    try run(
      "pkcs11-tool --module $MODULE --sign -m ECDSA-SHA256 --label laptop -f openssl -i file -o sig", touches: ["right"])
    try run(publicKey + "openssl dgst -sha256 -verify key.der -keyform DER -signature sig file")
    try run(
      "openssl dgst -sha256 -binary -out digest file && "
        + "pkcs11-tool --module $MODULE --sign -m ECDSA --label laptop -f openssl -i digest -o sig2", touches: ["right"])
    try run(publicKey + "openssl dgst -sha256 -verify key.der -keyform DER -signature sig2 file")
    #expect(
      try token.run("echo more >> file; " + publicKey + "openssl dgst -sha256 -verify key.der -signature sig file").status == 1)
  }

  @Test func `pkcs11-tool makes a key and deletes it`() throws {
    let make = "pkcs11-tool --module $MODULE --keypairgen --usage-sign --key-type EC:prime256v1 --label mine --id 0a0b"
    #expect(try run(make).contains("0a0b"))
    #expect(try run("pkcs11-tool --module $MODULE -O --id 0a0b").contains("mine"))
    try run("pkcs11-tool --module $MODULE --delete-object --type privkey --id 0a0b")
    #expect(try !run("pkcs11-tool --module $MODULE -O").contains("mine"))
    // What no key of the vault does is not promised either.
    let deriving = try token.run("pkcs11-tool --module $MODULE --keypairgen --key-type EC:prime256v1 --label other")
    #expect(deriving.status != 0 && deriving.screen.contains("CKR_TEMPLATE_INCONSISTENT"), "\(deriving)")
    let other = try token.run("pkcs11-tool --module $MODULE --keypairgen --usage-sign --key-type EC:secp384r1 --label other")
    #expect(other.status != 0 && other.screen.contains("(0x140)"), "\(other)")
  }

  // MARK: - openssl and GnuTLS

  @Test func `openssl signs a file and a certificate by the engine of libp11`() throws {
    let module = ["PKCS11_MODULE_PATH=\(token.module)"]
    let key = "-engine pkcs11 -keyform engine"
    try run("openssl dgst \(key) -sha256 -sign 'pkcs11:object=laptop;type=private' -out sig file", module, touches: ["right"])
    try run(publicKey + "openssl dgst -sha256 -verify key.der -keyform DER -signature sig file")
    try run(
      "openssl req -new -x509 -subj /CN=me \(key) -key 'pkcs11:token=Signet;object=laptop' -out cert.pem", module,
      touches: ["right"])
    try run("openssl verify -CAfile cert.pem cert.pem")
  }

  @Test func `GnuTLS finds the key by its URL, and signs with it`() throws {
    let list = try run("p11tool --provider $MODULE --list-all --only-urls")
    #expect(list.contains("object=laptop;type=private"), "\(list)")
    let signed = try run(
      "p11tool --provider $MODULE --test-sign 'pkcs11:token=Signet;object=laptop;type=private'", touches: ["right"])
    #expect(signed.contains("Verifying against public key in the token... ok"), "\(signed)")
  }

  // MARK: - ssh

  /// A server for one connection, which trusts the key and runs as the test's user.
  private func makeServer() throws {
    try run("ssh-keygen -D $MODULE > keys && ssh-keygen -q -t ed25519 -N '' -f host")
    #expect(try String(contentsOfFile: token.folder.path + "/keys", encoding: .utf8).hasSuffix(" laptop\n"))
    try run("sed 's/^/* /' host.pub > known && mkdir -m 700 -p /run/sshd")
    let folder = token.folder.path
    try """
    HostKey \(folder)/host
    AuthorizedKeysFile \(folder)/keys
    PasswordAuthentication no
    UsePAM no
    StrictModes no
    PermitRootLogin yes
    PidFile none
    """.write(toFile: folder + "/server", atomically: true, encoding: .utf8)
  }

  private func ssh(_ options: String) -> String {
    "ssh -F none -o ProxyCommand='/usr/sbin/sshd -i -f server 2> log' -o UserKnownHostsFile=known -o GlobalKnownHostsFile=none "
      + "\(options) $(id -un)@here 'echo let in'"
  }

  @Test(.enabled(if: hasServer, "needs openssh-server")) func `ssh is let in by a touch on its terminal`() throws {
    try makeServer()
    let screen = try run(ssh("-o PKCS11Provider=$MODULE -o IdentityAgent=none"), touches: ["right"])
    #expect(screen.contains("let in") && screen.contains("ssh: sign with the key laptop"), "\(screen)")
  }

  @Test(.enabled(if: hasServer, "needs openssh-server")) func `another finger does not let ssh in`() throws {
    try makeServer()
    let program = try token.start(ssh("-o PKCS11Provider=$MODULE -o IdentityAgent=none -o BatchMode=yes"))
    try program.touch("wrong", token.scene.reader)
    try program.terminal.read(until: "not recognised")
    program.terminal.type("\u{1B}")
    let end = try token.end(program)
    #expect(end.status == 255 && end.screen.contains("Permission denied"), "\(end)")
  }

  @Test(.enabled(if: hasServer, "needs openssh-server")) func `ssh-agent, which has no terminal, asks on the desktop`() throws {
    try makeServer()
    try token.lock()
    let screen = try run(
      "ssh-agent -P '*' sh -c \"ssh-add -s $MODULE < /dev/null && \(ssh("").replacing("\"", with: "\\\""))\"",
      try token.desktop() + ["SIGNET_PROMPT=\(TokenScene.prompt)"])
    #expect(screen.contains("let in"), "\(screen)")
    let told = try token.told
    #expect(told.contains("'--application', 'ssh-pkcs11-helper', '--reason', 'sign with the key laptop'"), "\(told)")
  }

  // MARK: - p11-kit

  @Test(.enabled(if: geteuid() == 0, "only root can put a folder in the place of p11-kit's"))
  func `p11-kit loads the module that its file names, and openssl finds the key by p11-kit`() throws {
    let file =
      #filePath.dropLast("Tests/PKCS11Tests/ProgramTests.swift".count) + "Sources/applications/signet-pkcs11/signet.module"
    let text = try String(contentsOfFile: String(file), encoding: .utf8)
    #expect(text.contains("\nmodule: signet-pkcs11.so\n"))
    try run("mkdir modules && echo 'module: \(token.module)' > modules/signet.module")
    func beside(_ command: String) -> String {
      "unshare -m sh -c \"mount --bind modules /usr/share/p11-kit/modules && \(command)\""
    }
    let list = try run(beside("p11-kit list-modules"))
    #expect(list.contains("signet: ") && list.contains("token: Signet"), "\(list)")
    let sign = "openssl dgst -engine pkcs11 -keyform engine -sign 'pkcs11:token=Signet;object=laptop' -sha256 -out sig file"
    try run(beside(sign), touches: ["right"])
    try run(publicKey + "openssl dgst -sha256 -verify key.der -keyform DER -signature sig file")
  }
}
