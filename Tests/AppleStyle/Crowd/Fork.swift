import Foundation
import LocalAuthentication
import Security

/// A child made while one context has proved something and another one is being asked; both are used in it.
func forked() {
  let (proved, pending) = (LAContext(), LAContext())
  add()
  print("parent \(evaluate(proved))")
  let ended = DispatchSemaphore(value: 0)
  pending.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Meanwhile") { isDone, _ in
    print("pending \(isDone)")
    ended.signal()
  }
  // Typed once the finger is asked for.
  _ = readLine()
  let child = fork()
  if child == 0 {
    // A child that hangs is ended, which its parent tells.
    alarm(20)
    inChild(proved, pending)
    _exit(0)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  print("child \(status)")
  ended.wait()
  print("read \(copy(proved))")
}

private func inChild(_ proved: LAContext, _ pending: LAContext) {
  for context in [proved, pending] {
    print("can \(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))")
    context.interactionNotAllowed = true
    print("copy \(copy(context))")
    print("evaluate \(evaluate(context))")
    context.invalidate()
    print("invalid \(evaluate(context)) \(copy(context))")
  }
  print("own \(evaluate(silent()))")
}

private func silent() -> LAContext {
  let context = LAContext()
  context.interactionNotAllowed = true
  return context
}

private func evaluate(_ context: LAContext) -> Int {
  let replied = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var code = 1
  context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Before") { isDone, error in
    code = isDone ? 0 : (error as? LAError)?.code.rawValue ?? 1
    replied.signal()
  }
  replied.wait()
  return code
}

private func add() {
  let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil)
  let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecValueData: Data("horse".utf8),
    kSecAttrAccessControl: control as Any,
  ]
  print("add \(SecItemAdd(item as CFDictionary, nil))")
}

private func copy(_ context: LAContext) -> OSStatus {
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecReturnData: true, kSecUseAuthenticationContext: context,
  ]
  var item: CFTypeRef?
  return SecItemCopyMatching(query as CFDictionary, &item)
}

/// Swift hides it, since little may be done in a child; what this library may, is what is tested.
private func fork() -> pid_t {
  typealias Function = @convention(c) () -> pid_t
  guard let symbol = dlsym(nil, "fork") else { fatalError("no fork") }
  return unsafeBitCast(symbol, to: Function.self)()
}
