import Foundation
import LocalAuthentication
import Observation
import Security
import SignetState

/// A line at once, whatever standard output is.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// What each scenario does is in the other files; here it is called and told of.
func run(_ scenario: String, _ words: [String]) async {
  switch scenario {
  case "can": can()
  case "authenticate": await authenticateOnce()
  case "evaluate": await evaluate(words)
  case "reasonless": LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") { _, _ in }
  case "passwords": passwords()
  case "shapes": await shapes()
  case "biometric": await biometric(words)
  case "control": await control(words)
  case "items": await items(words)
  case "states": await states()
  case "environment": environment()
  case "domain": domain()
  case "rights": await rights()
  case "keys": await keys(words)
  case "first": await storeFirst()
  default: say("no scenario \(scenario)")
  }
  say("end")
}

private func can() {
  for policy in [
    LAPolicy.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithWatch,
  ] {
    let context = LAContext()
    var error: NSError?
    let can = context.canEvaluatePolicy(policy, error: &error)
    let state = context.evaluatedPolicyDomainState.map { "\($0.count)" } ?? "nil"
    say("can \(policy.rawValue) \(can) \(error?.code ?? 0) type \(context.biometryType.rawValue) state \(state)")
  }
}

private func authenticateOnce() async {
  let result = await withCheckedContinuation { continuation in
    authenticate { continuation.resume(returning: $0) }
  }
  say("result \(result)")
}

/// `completion` or `async`, the policy, then options.
private func evaluate(_ words: [String]) async {
  let policy = LAPolicy(rawValue: Int(words[1]) ?? 0) ?? .deviceOwnerAuthentication
  let context = LAContext()
  if words.contains("silent") { context.interactionNotAllowed = true }
  if words.contains("no-fallback") { context.localizedFallbackTitle = "" }
  if words.contains("invalid") { context.invalidate() }
  for word in words where word.hasPrefix("reuse=") {
    context.touchIDAuthenticationAllowableReuseDuration = TimeInterval(word.dropFirst(6)) ?? 0
  }
  if words.contains("invalidate") { whenTyped { context.invalidate() } }
  if words.contains("again") {
    whenTyped {
      context.evaluatePolicy(policy, localizedReason: "Once more") { _, error in say("again \((error as NSError?)?.code ?? 0)") }
    }
  }
  if words.contains("cancel") { return await cancelled(context, policy) }
  let times = words.last.flatMap(Int.init) ?? 1
  for _ in 0..<(words.count > 2 ? times : 1) { await evaluateOnce(context, policy, isAsync: words[0] == "async") }
}

/// Once the test types a line; once it writes into a pipe where the last word says so.
func whenTyped(_ action: @escaping @Sendable () -> Void) {
  DispatchQueue.global().async {
    var byte: UInt8 = 0
    if CommandLine.arguments.last == "piped" { _ = read(3, &byte, 1) } else { _ = readLine() }
    action()
  }
}

private func evaluateOnce(_ context: LAContext, _ policy: LAPolicy, isAsync: Bool) async {
  if isAsync {
    do { say("evaluated \(try await context.evaluatePolicy(policy, localizedReason: "Show it works"))") } catch {
      say("evaluated \(describe(error)) \((error as NSError).code)")
    }
  } else {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      context.evaluatePolicy(policy, localizedReason: "Show it works") { success, error in
        say("evaluated \(success ? "true" : "\(describe(error)) \((error! as NSError).code)")")
        continuation.resume()
      }
    }
  }
}

/// By the end of its task.
private func cancelled(_ context: LAContext, _ policy: LAPolicy) async {
  let task = Task { await evaluateOnce(context, policy, isAsync: true) }
  whenTyped { task.cancel() }
  await task.value
}

private func passwords() {
  let helper = KeychainHelper.standard
  helper.save(Data("one".utf8), service: "demo", account: "me")
  helper.save(Data("two".utf8), service: "demo", account: "me")
  say("helper \(helper.read(service: "demo", account: "me").map { String(decoding: $0, as: UTF8.self) } ?? "nil")")
  helper.save(Session(user: "ada", count: 3), service: "demo", account: "session")
  say("decoded \(helper.read(service: "demo", account: "session", type: Session.self)?.user ?? "nil")")
  helper.delete(service: "demo", account: "me")
  say("deleted \(helper.read(service: "demo", account: "me") == nil)")
  do {
    try store(Credentials(username: "ada", password: "secret"))
    say("found \(try findCredentials())")
    do { try store(Credentials(username: "ada", password: "again")) } catch { say("again \(error)") }
    try change(Credentials(username: "bob", password: "other"))
    say("changed \(try findCredentials())")
    try deleteCredentials()
    do { _ = try findCredentials() } catch { say("gone \(error)") }
  } catch { say("internet \(error)") }
  legacy()
}

private func legacy() {
  say("legacy \(LegacyKeychain.save("key", data: Data("old".utf8))) \(LegacyKeychain.save("key", data: Data("new".utf8)))")
  say("legacy \(LegacyKeychain.load("key").map { String(decoding: $0, as: UTF8.self) } ?? "nil")")
  _ = LegacyKeychain.save("other", data: Data())
  say("legacy \(LegacyKeychain.accounts()) \(LegacyKeychain.attributes().count) \(LegacyKeychain.exists("key"))")
  var item: AnyObject?
  say("legacy \(SecItemCopyMatching(LegacyKeychain.typed("key") as CFDictionary, &item)) \(inlineQuery("key"))")
  say("legacy \(LegacyKeychain.clear()) \(LegacyKeychain.clear())")
  let storage = KeychainTokenStorage()
  do {
    try storage.store(token: "t1")
    try storage.store(token: "t2")
    say("token \(try storage.token() ?? "nil")")
    try storage.removeToken()
    say("token \(try storage.token() ?? "nil")")
  } catch { say("token \(error.localizedDescription)") }
  let settings = Settings()
  settings.session = Session(user: "grace", count: 1)
  settings.name = "x"
  settings.name = nil
  say("wrapped \(settings.session?.user ?? "nil") \(settings.name ?? "nil")")
}

private func shapes() async {
  for error in sampleErrors() { say("error \(rethrow(error)) \(BiometricError(error)) \(describeByCode(error as NSError))") }
  say(
    "errors \(rethrow(NSError(domain: LAErrorDomain, code: -1004))) \(BiometricError.convert(error: LAError(.userFallback) as NSError))"
  )
  say("gate \(Gate { FakeContext() }.reason()) \(await Gate { FakeContext() }.ask())")
  say("message \(errSecItemNotFound.message) \((-1 as OSStatus).message)")
  say("name \(biometryName()) \(canUseBiometrics()) \(hasLocalAuthentication)")
  var error: Unmanaged<CFError>?
  let wrong = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.or, .and], &error)
  let reason = error!.takeRetainedValue() as Error
  say("control \(wrong == nil) \((reason as NSError).domain) \((reason as NSError).code)")
}

/// `save`, `load`, `shared` (one context for two reads) or `exists`.
private func biometric(_ words: [String]) async {
  let keychain = BiometricKeychain()
  for word in words {
    do {
      switch word {
      case "save": try keychain.save("treasure", account: "ada")
      case "presence": try keychain.save("treasure", account: "ada", flags: .userPresence)
      case "delete": keychain.delete("ada")
      case "load": say("loaded \(try keychain.load("ada", prompt: "Open the chest"))")
      case "shared":
        let context = LAContext()
        context.localizedReason = "Open the chest"
        say("loaded \(try keychain.load("ada", context: context))")
        say("loaded \(try keychain.load("ada", context: context))")
        context.invalidate()
        do { _ = try keychain.load("ada", context: context) } catch { say("invalidated \(error)") }
      case "exists": say("exists \(keychain.exists("ada"))")
      default: say("no \(word)")
      }
    } catch { say("failed \(error)") }
  }
}

/// Flags of an access control, as a number.
private func control(_ words: [String]) async {
  let flags = SecAccessControlCreateFlags(rawValue: UInt(words[0]) ?? 0)
  do {
    let access = try BiometricKeychain().accessControl(flags)
    let done = try await LAContext().evaluateAccessControl(access, operation: .useItem, localizedReason: "Open")
    say("control \(done)")
  } catch { say("control \(describe(error))") }
}

/// The owner proves to be there, and then something is kept for the first time.
private func storeFirst() async {
  await evaluateOnce(LAContext(), .deviceOwnerAuthentication, isAsync: true)
  KeychainHelper.standard.save(Data("one".utf8), service: "demo", account: "me")
}

/// What a program compares to notice that other fingers are enrolled, at each line.
private func domain() {
  repeat {
    let context = LAContext()
    let can = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    say("domain \(can) \(context.evaluatedPolicyDomainState?.base64EncodedString() ?? "nil")")
  } while readLine() != "end"
}

/// Each state as it comes, in each form, until there is no more to read.
private func states() async {
  final class Delegate: BiometryMonitorDelegate {
    func biometryMonitor(_ monitor: BiometryMonitor, didUpdateState state: BiometryState) { say("delegate \(state)") }
  }
  let monitor = BiometryMonitor()
  let delegate = Delegate()
  monitor.delegate = delegate
  let following = Task { for await state in monitor.states { say("state \(state)") } }
  let observed = await ObservedBiometry(monitor)
  await observe(observed)
  while let line = readLine() {
    if line == "evaluate" { await evaluateOnce(LAContext(), .deviceOwnerAuthentication, isAsync: true) }
    if line == "end" { break }
  }
  following.cancel()
  withExtendedLifetime((delegate, observed)) {}
}

@MainActor private func observe(_ biometry: ObservedBiometry) {
  let state = withObservationTracking {
    biometry.state
  } onChange: {
    Task { @MainActor in observe(biometry) }
  }
  if let state { say("observed \(state)") }
}

/// One observer after another, each from the moment on at which the one before goes.
private func environment() {
  final class Observer: LAEnvironment.Observer {
    let name: String
    init(_ name: String) { self.name = name }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
      func told(_ state: LAEnvironment.State) -> String { state.biometry?.isLockedOut == true ? "locked" : "open" }
      say("\(name) \(told(oldState)) \(told(environment.state))")
    }
  }
  let observers = ["first", "second", "third"].map(Observer.init)
  for (index, observer) in observers.enumerated() {
    if index > 0 { LAEnvironment.currentUser.removeObserver(observers[index - 1]) }
    LAEnvironment.currentUser.addObserver(observer)
    say("observing")
    _ = readLine()
  }
}
