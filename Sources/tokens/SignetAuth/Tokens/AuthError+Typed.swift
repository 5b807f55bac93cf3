extension AuthError {
  /// The errors of an issuer, which may be written elsewhere, as this module's.
  static func typed<Value: Sendable>(_ body: () async throws -> Value) async throws(AuthError) -> Value {
    do { return try await body() } catch let error as AuthError { throw error } catch let error as NetworkError {
      throw error == .cancelled ? .cancelled : .network(error)
    } catch let error as TokenStorageError { throw .storage(error) } catch is CancellationError { throw .cancelled } catch {
      throw .failed("\(type(of: error))")
    }
  }
}
