import LocalAuthentication

// Shapes 22 and 23 where there is Combine, which Linux has not: there Observation takes its place.
#if canImport(Combine)
  import Combine

  @MainActor final class UnlockModel: ObservableObject {
    @Published var isUnlocked = false
    private let results = PassthroughSubject<Bool, Never>()

    func publisher() -> AnyPublisher<Bool, Error> {
      Future<Bool, Error> { promise in
        LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") { success, error in
          if let error { promise(.failure(error)) } else { promise(.success(success)) }
        }
      }
      .eraseToAnyPublisher()
    }
  }
#elseif canImport(Observation)
  import Observation

  @Observable @MainActor final class UnlockModel {
    var isUnlocked = false

    func unlock() {
      LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") { [weak self] success, _ in
        Task { @MainActor in self?.isUnlocked = success }
      }
    }
  }
#endif

#if canImport(LocalAuthentication)
  let hasLocalAuthentication = true
#else
  let hasLocalAuthentication = false
#endif
