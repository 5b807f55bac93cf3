import DaemonAccounts
import DaemonSealing
import Foundation
import SignetAuthentication
import SignetSealing
import SignetTestKit
import SignetTokens
import SignetVocabulary
import Synchronization

@testable import DaemonTokens

/// signetd's issuer alone, with a TPM of its own that has the device key, and a clock of the test's. signet-tpm is the real one,
/// started by a script that counts how often it is asked, and fails where the test wants it.
final class TokenKeyScene {
  let tpm: SoftwareTPM
  private let folder: TemporaryFolder
  private let isPatient: Bool
  private let time = ManualSeconds()
  private let key: HeldKey
  private var store: SharedStore
  private(set) var issuer: Issuer

  private final class ManualSeconds: Sendable {
    private let value = Mutex<UInt64>(1_800_000_000)
    var now: UInt64 { value.withLock { $0 } }
    func pass(_ seconds: UInt64) { value.withLock { $0 += seconds } }
  }

  /// `isPatient`: whether the TPM may take a minute to sign, and not the usual seconds, in which a slow machine may do nothing.
  init(isPatient: Bool = false) throws {
    self.isPatient = isPatient
    folder = try TemporaryFolder()
    tpm = try SoftwareTPM()
    let script = """
      #!/bin/sh
      echo >> \(folder.path)/asked
      [ -e \(folder.path)/fails ] && exit 1
      [ -e \(folder.path)/fails-once ] && mv \(folder.path)/fails-once \(folder.path)/failed && exit 1
      exec \(try ReaderChannel.program("signet-tpm")) "$@"

      """
    try RawFile.create(folder.path + "/signet-tpm", Array(script.utf8))
    chmod(folder.path + "/signet-tpm", 0o700)
    store = try TokenKeyScene.open(folder.path, tpm.transport, isWanted: true, isPatient: isPatient)
    try store.value.keeper.seal(isNew: { true }, keep: { _ in })
    key = try store.value.keeper.current(isNew: { false }, patiently: true)
    issuer = Issuer(store, signingLimit: isPatient ? 60_000 : 3_500) { [time] in time.now }
  }

  private static func open(_ folder: String, _ transport: String, isWanted: Bool, isPatient: Bool) throws -> SharedStore {
    let tpm = TPM(
      program: folder + "/signet-tpm", transport: transport, isWanted: isWanted, pcrs: 1 << 7,
      insistence: isPatient ? 30_000 : 2_000)
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    while true {
      do throws(SystemError) {
        return SharedStore(try AccountStore(path: folder + "/state", runtimePath: folder + "/run", tpm: tpm))
      } catch {
        // A program that another test is about to start still has what this process had open, the lock among it.
        guard case .call(.lock, _, _) = error, PAMHost.microseconds() < deadline else { throw error }
        pauseBeforeNextLook()
      }
    }
  }

  /// Ends this signetd and starts another one, in which a passcode brings the device key back where the TPM does not open it.
  /// `happen`: in between. `isWanted`: what signet.conf says of the TPM.
  func restart(isWanted: Bool = true, _ happen: () throws -> Void = {}) throws {
    // The folder is locked for as long as the old one is there.
    let empty = try TemporaryFolder()
    store = SharedStore(try AccountStore(path: empty.path + "/state", runtimePath: empty.path + "/run"))
    issuer = Issuer(store)
    try happen()
    store = try TokenKeyScene.open(folder.path, tpm.transport, isWanted: isWanted, isPatient: isPatient)
    issuer = Issuer(store, signingLimit: isPatient ? 60_000 : 3_500) { [time] in time.now }
    if (try? store.value.keeper.current(isNew: { false }, patiently: true)) != nil { return }
    guard store.value.keeper.recover(key) else { throw TestKitError("the device key is not brought back") }
  }

  func pass(days: UInt64) { time.pass(days * 86_400) }

  var now: UInt64 { time.now }

  // MARK: - tokens

  func issue(to uid: UInt32 = 1000) throws -> String {
    let session = Session(
      identifier: SessionName(0x0123_ABCD), digest: [], uid: uid, user: "alice", service: "login", terminal: "tty1",
      method: .fingerprint, since: now, key: 1)
    return try issuer.issue(to: session, endsBy: now + 86_400, for: "mail", confirmation: []).token
  }

  /// The public keys, by their names.
  func keySet() throws -> [String: ES256PublicKey] {
    let object = try JSONSerialization.jsonObject(with: Data(try issuer.keySet().jwks.utf8)) as? [String: [[String: String]]]
    guard let keys = object?["keys"] else { throw TestKitError("no keys") }
    return try keys.reduce(into: [:]) { all, key in
      guard let name = key["kid"], let point = ES256PublicKey(try bytes(key["x"]) + bytes(key["y"])) else {
        throw TestKitError("\(key)")
      }
      all[name] = point
    }
  }

  /// The name of the key that a token says it is signed by, where the key set has it and it verifies the token.
  func verify(_ token: String) throws -> String? {
    let parts = token.split(separator: ".").map(String.init)
    let header = try JSONSerialization.jsonObject(with: Data(try bytes(parts[0]))) as? [String: String]
    guard let name = header?["kid"], let key = try keySet()[name] else { return nil }
    return key.verifies(try bytes(parts[2]), of: Array("\(parts[0]).\(parts[1])".utf8)) ? name : nil
  }

  private func bytes(_ text: String?) throws -> [UInt8] {
    guard let text else { throw TestKitError("nothing there") }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let data = Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)) else {
      throw TestKitError("no base64url: \(text)")
    }
    return [UInt8](data)
  }

  // MARK: - the file

  private var path: String { folder.path + "/state/issuer" }

  var fileBytes: [UInt8] {
    get throws { try RawFile.read(path) }
  }

  func overwriteFile(_ bytes: [UInt8]) throws { try RawFile.overwrite(path, bytes) }

  /// What the file has.
  var file: IssuerFile {
    get throws { try IssuerFile(opening: fileBytes, under: key) }
  }

  func write(_ file: IssuerFile) throws { try store.value.root.replace(IssuerFile.name, with: try file.sealed(under: key)) }

  /// Writes what is sealed as the file is, whatever it holds.
  func write(_ fields: [UInt8], version: UInt8) throws {
    let sealed = try key.seal(fields.span, for: SealContext("SGis", version: version, uid: 0))
    try store.value.root.replace(IssuerFile.name, with: Array("SGis".utf8) + [version, 0, 0, 0, 0] + sealed)
  }

  /// What the TPM is given to sign with each key that is in it.
  var handles: [[UInt8]] {
    get throws {
      try file.keys.compactMap { key in
        switch key.storage {
        case .file: nil
        case .tpm(let handle): handle
        }
      }
    }
  }

  // MARK: - signet-tpm

  /// How often it was started.
  var questions: Int { (try? RawFile.read(folder.path + "/asked").count) ?? 0 }

  func failOnce() throws { try RawFile.create(folder.path + "/fails-once", []) }

  var hasFailed: Bool { access(folder.path + "/failed", F_OK) == 0 }

  func fail(_ always: Bool) throws {
    if always { try RawFile.create(folder.path + "/fails", []) } else { unlink(folder.path + "/fails") }
  }
}
