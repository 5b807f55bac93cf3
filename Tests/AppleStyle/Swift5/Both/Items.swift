import Foundation
import LocalAuthentication
import Security

/// `sync`, or `task` for calls from inside one; then words, each of which is a call of the keychain, with what it needs.
func items(_ words: [String]) async {
  let calls = Array(words.dropFirst())
  if words.first == "task" {
    await Task.detached { perform(calls) }.value
  } else {
    perform(calls)
  }
}

private func perform(_ words: [String]) {
  var calls = ItemCalls(words: words[...])
  while let word = calls.words.popFirst() {
    let status = calls.status(of: word)
    if let status { say("\(word) \(status)") }
  }
}

private struct ItemCalls {
  var words: ArraySlice<String>
  var context: LAContext?
  var more: [String: Any] = [:]

  mutating func next() -> String { words.popFirst() ?? "" }

  func query(_ name: String) -> [String: Any] {
    var query = more
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrService as String] = name
    query[kSecAttrAccount as String] = "me"
    if let context { query[kSecUseAuthenticationContext as String] = context }
    return query
  }

  /// `nil` for a word that makes no call.
  mutating func status(of word: String) -> OSStatus? {
    switch word {
    case "add": return add(next(), Data(next().utf8), flags: UInt(next()) ?? 0)
    case "big": return add(next(), Data(count: Int(next()) ?? 0), flags: 0)
    case "copy": return copy(next())
    case "all": return all()
    case "update": return SecItemUpdate(query(next()) as CFDictionary, [kSecValueData: Data(next().utf8)] as CFDictionary)
    case "delete": return SecItemDelete(query(next()) as CFDictionary)
    case "odd": return odd(next())
    default: prepare(word)
    }
    return nil
  }

  private mutating func prepare(_ word: String) {
    let ui = kSecUseAuthenticationUI as String
    switch word {
    case "context": context = LAContext()
    case "silent": context?.interactionNotAllowed = true
    case "invalidate": context?.invalidate()
    case "waiting": if let context { evaluateNext(context) }
    case "typed": if let context { whenTyped { context.invalidate() } }
    case "no-ui": more = [kSecUseNoAuthenticationUI as String: true]
    case "ui-fail": more = [ui: kSecUseAuthenticationUIFail]
    case "ui-skip": more = [ui: kSecUseAuthenticationUISkip]
    case "ui-allow": more = [ui: kSecUseAuthenticationUIAllow]
    case "lack":
      var none = rlimit(rlim_cur: 3, rlim_max: 3)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
    case "piped": break
    default: say("no \(word)")
    }
  }

  private func add(_ name: String, _ value: Data, flags: UInt) -> OSStatus {
    var item = query(name)
    item[kSecValueData as String] = value
    let flags = SecAccessControlCreateFlags(rawValue: flags)
    if !flags.isEmpty {
      var error: Unmanaged<CFError>?
      guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, &error) else {
        return OSStatus((error!.takeRetainedValue() as Error as NSError).code)
      }
      item[kSecAttrAccessControl as String] = control
    }
    return SecItemAdd(item as CFDictionary, nil)
  }

  private func copy(_ name: String) -> OSStatus {
    var query = query(name)
    query[kSecReturnData as String] = true
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    if let data = item as? Data { say("value \(String(decoding: data.prefix(20), as: UTF8.self))") }
    return status
  }

  /// The names of all that may be read.
  private func all() -> OSStatus {
    var query = query("")
    for key in [kSecAttrService, kSecAttrAccount] { query[key as String] = nil }
    for key in [kSecReturnData, kSecReturnAttributes] { query[key as String] = true }
    query[kSecMatchLimit as String] = kSecMatchLimitAll
    var items: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &items)
    let names = (items as? [[String: Any]] ?? []).compactMap { $0[kSecAttrService as String] as? String }
    say("names \(names.sorted().joined(separator: ","))")
    return status
  }

  /// A dictionary that no keychain, or not this one, takes.
  private func odd(_ kind: String) -> OSStatus {
    var item = query("odd")
    item[kSecValueData as String] = Data()
    switch kind {
    case "unclassed": item[kSecClass as String] = nil
    case "class": item[kSecClass as String] = "none"
    case "attribute": item[kSecAttrServer as String] = "example.org"
    case "group": item[kSecAttrAccessGroup as String] = "group.example"
    case "token": item[kSecAttrTokenID as String] = kSecAttrTokenIDSecureEnclave
    case "synchronized": item[kSecAttrSynchronizable as String] = true
    default: say("no \(kind)")
    }
    return SecItemAdd(item as CFDictionary, nil)
  }
}

/// Once a line is typed an evaluation begins that has to wait for its turn; its task is cancelled by the next line.
private func evaluateNext(_ context: LAContext) {
  whenTyped {
    let task = Task { try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Next") }
    say("waiting")
    whenTyped {
      task.cancel()
      say("cancelled")
    }
  }
}
