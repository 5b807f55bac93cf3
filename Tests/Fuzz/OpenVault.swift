import Glibc
import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

@testable import DaemonService
@testable import DaemonPasscodes
@testable import DaemonVaults
@testable import SignetDaemon
@testable import SignetVault

/// The vault of the user whom the fuzzed signetd serves: open, with an item for whoever asks and a login secret, which takes a
/// finger that is not there.
final class OpenVault: Sendable {
  /// The item for whoever asks: that of the vectors.
  static let name = ItemName(service: "mail", account: "alice")
  static let value = Array("for whoever asks".utf8)
  /// The secret that no input may release.
  static let loginSecret = Array("for a finger only".utf8)

  private let vault: Vault
  private let user: User
  private let key: [UInt8]
  /// By path, as they are at the start of each input.
  private let files: [String: [UInt8]]
  private let items: String

  /// `state`: the state directory.
  init(_ vault: Vault, _ user: User, state: String) {
    (self.vault, self.user) = (vault, user)
    guard let typed = TypedPasscode("passcode".utf8.span) else { fail("no memory") }
    let verified = VerifiedPasscode(checked: typed, of: user)
    let opening = vault.beginOpening(user.uid)
    guard vault.open(verified, opening, creates: true, keepsLoginSecret: false).opening == .created else {
      fail("no vault can be made")
    }
    let folder = "\(state)/users/\(user.uid)"
    let items = folder + "/items"
    self.items = items
    do {
      let item = Item(OpenVault.name, accessibility: .afterFirstUnlock)
      try vault.put(item, value: secret(OpenVault.value), of: user, .new(""))
      try vault.put(.loginSecret, value: secret(OpenVault.loginSecret), of: user, .new(""))
    } catch {
      fail("nothing can be stored: \(error)")
    }
    key = vault.keys.lend(user.uid) { key in
      switch key {
      case .some(let key): Array(copying: key.span)
      case .none: []
      }
    }
    let paths = ["key", "set", "index"].map { "\(folder)/\($0)" } + names(in: items).map { "\(items)/\($0)" }
    let all = paths + ["\(state)/epochs/\(user.uid)"]
    files = Dictionary(uniqueKeysWithValues: all.map { ($0, readFile($0)) })
  }

  /// Whatever an input stored, deleted, reset or locked.
  func restore() {
    mkdir(items, 0o700)
    for name in names(in: items) where files["\(items)/\(name)"] == nil { unlink("\(items)/\(name)") }
    for (path, bytes) in files where access(path, F_OK) != 0 || readFile(path) != bytes { writeFile(path, bytes) }
    guard !vault.keys.isHeld(user.uid) else { return }
    guard let key = UserKey(secret(key)) else { fail("no memory") }
    let ticket = vault.keys.ticket(user.uid)
    guard vault.keys.hold(key, of: user.uid, ticket, isOfSession: false) else { fail("no memory") }
  }

  /// What the public keys of access tokens begin with, which anybody may ask for.
  private static let keySet = Array(#"{"issuer":"urn:uuid:"#.utf8)

  /// A reply holds a value that was asked for, or none; and the login secret in no form.
  func requireNothingElse(in packet: [UInt8]) {
    require(!contains(packet, OpenVault.loginSecret), "the login secret is in \(hex(packet.span))")
    guard let reply = try? ValueReply(parsing: packet.span) else { return }
    let part = Array(copying: reply.part)
    if part.starts(with: OpenVault.keySet) { return require(!contains(part, OpenVault.value), "a value is among the keys") }
    require(part == OpenVault.value, "\(hex(packet.span)) is no value that there is")
  }
}

private func contains(_ all: [UInt8], _ part: [UInt8]) -> Bool {
  all.count >= part.count && (0...all.count - part.count).contains { all[$0..<$0 + part.count].elementsEqual(part) }
}

private func secret(_ bytes: [UInt8]) -> SecretBytes {
  guard var secret = SecretBytes(capacity: max(1, bytes.count)), secret.append(bytes.span) else { fail("no memory") }
  return secret
}

private func names(in folder: String) -> [String] {
  guard let entries = opendir(folder) else { return [] }
  defer { closedir(entries) }
  var names: [String] = []
  while let entry = readdir(entries) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
