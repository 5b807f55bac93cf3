// SignetAgent is signet-agent: the user's own process that has their tokens of identity providers while they are logged in. What
// lives long is in the vault, sealed for the fingers that are enrolled; a finger that logs in or unlocks the screen releases it to
// this program alone. Begin to read at `Agent`.
import SignetTokenServices
import SignetBytes
import SignetContexts
import SignetMemory
import SignetSealing
import SignetVocabulary
import Synchronization

/// The bindings' tokens in the owner's vault, as items of a kind of their own, which signetd releases after a finger at the seat.
///
/// The owner is asked only while somebody waits at a terminal (`whileAsking`): an agent that asks by itself would have people
/// touch the reader for what they do not see.
///
/// With the refresh token the device's key is sealed, so that one finger releases both, and the key of a `Handover`.
final class BindingStorage: TokenStorage {
  private let socket: String
  private let handover: Handover
  /// What is sealed beside the refresh token; `nil` for a device without one.
  private let deviceKey: BindingKey?
  /// The key that is in the vault with the refresh token now, in hexadecimal digits.
  private let handoverKey = Mutex<String?>(nil)
  /// Shows what is to be done, to who waits for it.
  private let asking = Mutex<(@Sendable (Prompt) -> Void)?>(nil)

  /// - Parameters:
  ///   - socket: signetd's.
  ///   - state: the folder of the records.
  init(socket: String, state: String, deviceKey: BindingKey? = nil) {
    self.socket = socket
    self.deviceKey = deviceKey
    handover = Handover(path: state)
  }

  /// Lets the owner be asked for a finger while `body` runs.
  func whileAsking<Value: Sendable>(
    _ show: @escaping @Sendable (Prompt) -> Void, _ body: () async throws -> Value
  ) async rethrows -> Value {
    asking.withLock { $0 = show }
    defer { asking.withLock { $0 = nil } }
    return try await body()
  }

  private func name(_ key: TokenKey) -> ItemName {
    ItemName(kind: .binding, service: "\(key.kind.rawValue) \(key.service)", account: key.account)
  }

  /// What lives long is for the enrolled fingers. A revocation must be possible without them, and a registration is no secret by
  /// itself.
  private func item(_ key: TokenKey) -> Item {
    let isForFingers = key.kind != .revocation && key.kind != .registration
    return Item(
      name(key), label: key.service,
      accessControl: isForFingers ? AccessControl(.biometryCurrentSet) : AccessControl(), accessibility: .whenPasscodeSet)
  }

  func store(token: String, for key: TokenKey) throws {
    guard key.kind == .refresh else {
      // A provider takes no revocation from who does not prove the key.
      let isProved = key.kind == .revocation
      return try put(try isProved ? deviceKey?.sealed(with: token) ?? token : token, for: key)
    }
    let next = SealingKey(random: ())?.secret.hexadecimalDigits
    try put(SealedSignIn(handoverKey: next, deviceKey: try deviceKey?.digits, text: token).value, for: key)
    handoverKey.withLock { $0 = next }
    // What was left there is older, or in the vault now.
    handover.remove(key)
  }

  /// Where the vault does not take it, it is handed over.
  func storeGiven(token: String, for key: TokenKey) throws {
    do { try store(token: token, for: key) } catch {
      guard key.kind == .refresh, let digits = handoverKey.withLock({ $0 }), let secret = SealingKey(hexadecimal: digits),
        handover.leave(token, for: key, sealedBy: secret)
      else { throw error }
    }
  }

  func retrieve(for key: TokenKey) throws -> String? {
    guard let value = try get(key) else { return nil }
    guard key.kind == .refresh else {
      return key.kind == .revocation ? try deviceKey?.open(value) ?? value : value
    }
    let sealed = try SealedSignIn(value)
    if let deviceKey {
      guard let digits = sealed.deviceKey else { throw TokenStorageError.damaged }
      try deviceKey.take(digits)
    }
    handoverKey.withLock { $0 = sealed.handoverKey }
    guard let digits = sealed.handoverKey, let secret = SealingKey(hexadecimal: digits) else { return sealed.text }
    return handover.take(key, sealedBy: secret) ?? sealed.text
  }

  func delete(for key: TokenKey) throws {
    if key.kind == .refresh {
      handoverKey.withLock { $0 = nil }
      handover.remove(key)
    }
    try remove(key)
  }

  // MARK: - items

  private func put(_ value: String, for key: TokenKey) throws(TokenStorageError) {
    let item = item(key)
    let bytes = Array(value.utf8)
    do throws(TokenStorageError) {
      try call { context, host throws(ContextError) in try context.update(item, bytes.span, &host) }
    } catch {
      // One that nothing opens any more is replaced as well.
      guard error == .failed(status: 0) else { throw error }
      try call { context, host throws(ContextError) in try context.add(item, bytes.span, &host) }
    }
  }

  private func get(_ key: TokenKey) throws(TokenStorageError) -> String? {
    let name = name(key)
    do throws(TokenStorageError) {
      return try call { context, host throws(ContextError) in
        let value = try context.read(name, &host)
        return String(decoding: Array(copying: value.span), as: UTF8.self)
      }
    } catch {
      guard error == .failed(status: 0) else { throw error }
      return nil
    }
  }

  private func remove(_ key: TokenKey) throws(TokenStorageError) {
    let name = name(key)
    do throws(TokenStorageError) {
      try call { context, host throws(ContextError) in try context.delete(name, &host) }
    } catch {
      guard error == .failed(status: 0) else { throw error }
    }
  }

  private func call<Value>(
    _ body: (inout ContextConnection, inout BindingHost) throws(ContextError) -> Value
  ) throws(TokenStorageError) -> Value {
    var host = BindingHost(asking.withLock { $0 })
    do throws(ContextError) {
      var context = try ContextConnection(path: socket, name: "signet-agent")
      return try body(&context, &host)
    } catch { throw BindingStorage.error(error) }
  }

  /// `failed(0)`: there is no such item.
  private static func error(_ error: ContextError) -> TokenStorageError {
    switch error {
    case .client: .unavailable
    case .refused(.notFound): .failed(status: 0)
    case .refused(.fingersChanged): .fingersChanged
    case .refused(.interactionNotAllowed), .notInteractive: .notInteractive
    case .refused(.cancelled), .cancelled: .cancelled
    case .refused(.noVault), .refused(.stateUnusable), .refused(.vaultUnavailable), .refused(.vaultFull), .refused(.noMemory):
      .unavailable
    case .refused: .locked
    case .invalidated, .unusable, .inUse, .noMemory: .unavailable
    }
  }
}

/// Shows what signetd wants to who waits. The passcode is not asked for here: it opens the vault at a login or by `signet login`.
private struct BindingHost: ContextHost {
  private let show: (@Sendable (Prompt) -> Void)?

  init(_ show: (@Sendable (Prompt) -> Void)?) { self.show = show }

  var canInteract: Bool { show != nil }
  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) { show?(prompt) }
  mutating func ask(_ reason: PasscodeReason, into passcode: inout SecretBytes) -> HostAnswer { .declined }
}
