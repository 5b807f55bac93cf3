import ArgumentParser
import Glibc
import SignetAgentProtocol
import SignetVocabulary
import SignetWire

/// What a shell completes, from what there is at that moment. Nobody is asked for anything, nothing is started, and what cannot be
/// had completes nothing.
enum Completions {
  static let enrolledFingers = custom { words in
    (try? Listing<FingerRow>.fingers(of: words.value("--user"), at: words.socket))?.rows.map(\.finger.name) ?? []
  }

  static let readers = custom { words in
    (try? Listing<ReaderDescription>.readers(at: words.socket))?.rows.map { Printable.text($0.identifier) } ?? []
  }

  static let sessions = custom { words in
    (try? Listing<SessionRow>.sessions(at: words.socket))?.rows.map(\.identifier) ?? []
  }

  static let itemServices = custom { words in items(words).map(\.service) }

  /// Those of the service that stands before.
  static let itemAccounts = custom { words in
    items(words).filter { words.all.contains($0.service) && !$0.account.isEmpty }.map(\.account)
  }

  /// Each as the one word that `signet run` takes, behind a variable's name.
  static let itemWords = custom { words in
    guard let variable = words.all.last, let sign = variable.firstIndex(of: "=") else { return [] }
    return items(words).map { variable[...sign] + ($0.account.isEmpty ? $0.service : "\($0.service)/\($0.account)") }
  }

  static let keys = custom { words in
    ((try? OwnKeys.all(of: words.value("--user"), at: words.socket)) ?? []).map(\.shown)
  }

  static let passkeys = custom { words in
    ((try? OwnPasskeys.all(of: words.value("--user"), at: words.socket)) ?? []).map(\.name)
  }

  private static func items(_ words: CommandWords) -> [ItemName] {
    let listing = try? Listing<VaultEntry>.vault(of: words.value("--user"), at: words.socket)
    // What a terminal would not show as it is nobody types, either.
    return (listing?.items ?? []).map(\.item.name).filter { name in
      name != .loginSecret && name.kind != .key && [name.service, name.account].allSatisfy { Printable.text($0) == $0 }
    }
  }

  /// The providers that this device is bound to. An agent that does not run is not started for it.
  static let issuers = custom { words in
    guard let path = try? AgentSocket.path(), let session = try? AgentDialogue.session(),
      let connection = try? AgentConnection(path: path), (try? connection.send(AgentRequest(.bindings, session: session))) != nil
    else { return [] }
    var found: [String] = []
    while case .binding(let row)? = try? connection.receive(AgentReply.self, within: 1_000) { found.append(row.issuer) }
    return found
  }

  static let users = custom { _ in
    var names: [String] = []
    setpwent()
    defer { endpwent() }
    while let entry = unsafe getpwent(), names.count < 1_000 { unsafe names.append(String(cString: entry.pointee.pw_name)) }
    return names
  }

  static let pamServices = custom { words in
    guard let folder = unsafe opendir(words.value("--confdir", else: "/etc/pam.d")) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func custom(_ body: @escaping @Sendable (CommandWords) -> [String]) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) in body(CommandWords(all: words)) }
  }
}

/// A command line that is being typed.
struct CommandWords {
  let all: [String]

  /// What stands behind an option.
  func value(_ option: String, else standard: String = "") -> String {
    guard let index = all.lastIndex(of: option), index + 1 < all.count else { return standard }
    return all[index + 1]
  }

  var socket: String { value("--socket", else: HelperOptions.standardSocket) }
}
