import LocalAuthentication

// Shapes 3 and 4: async, and continuations around the completion form.
actor Authenticator {
  func authenticate(_ reason: String = "Log in to your account") async -> Result<Bool, Error> {
    let context = LAContext()
    context.localizedFallbackTitle = "Enter passcode"
    do {
      let success = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
      return .success(success)
    } catch {
      return .failure(error)
    }
  }
}

struct BiometricAuthService: Sendable {
  func authenticate() async throws {
    let context = LAContext()
    var error: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
      throw error ?? LAError(.biometryNotAvailable)
    }
    _ = try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Confirm the payment")
  }

  func confirm() async -> Bool {
    await withCheckedContinuation { continuation in
      LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Confirm") { success, _ in
        continuation.resume(returning: success)
      }
    }
  }

  func confirmThrowing() async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      let context = LAContext()
      context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Confirm") { success, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: success)
        }
      }
    }
  }
}

@MainActor
final class LoginModel {
  private(set) var isUnlocked = false
  private(set) var message = ""
  private let context = LAContext()

  func logIn() async {
    do {
      if try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in") {
        isUnlocked = true
      }
    } catch let error as LAError {
      message = describe(error)
    } catch {
      message = error.localizedDescription
    }
  }

  func start() {
    Task { await logIn() }
  }
}
