import LocalAuthentication

// Shape 10: a protocol as a seam for tests, and a subclass that answers by itself. Shape 1: NSErrorPointer.
protocol AuthenticationContext: AnyObject {
  var biometryType: LABiometryType { get }
  var localizedFallbackTitle: String? { get set }
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
  func evaluatePolicy(_ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, Error?) -> Void)
  func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool
  func invalidate()
}

extension LAContext: AuthenticationContext {}

final class FakeContext: LAContext {
  override var biometryType: LABiometryType { .faceID }

  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    error?.pointee = NSError(domain: LAError.errorDomain, code: LAError.biometryNotEnrolled.rawValue)
    return false
  }

  override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void) {
    reply(false, LAError(.userFallback))
  }
}

struct Gate {
  let makeContext: () -> any AuthenticationContext
  init(makeContext: @escaping () -> any AuthenticationContext = { LAContext() }) { self.makeContext = makeContext }

  func reason() -> String {
    var error: NSError?
    let context = makeContext()
    if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) { return "fine" }
    if let error = error as? LAError, error.code == .biometryNotEnrolled { return "not enrolled" }
    return "other"
  }

  func ask() async -> String {
    do { return try await makeContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x") ? "yes" : "no" } catch {
      return describe(error)
    }
  }
}
