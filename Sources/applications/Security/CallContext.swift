import SignetContexts
import SignetCoreFoundation

typealias OwnersKeychain = Keychain<ConnectedVault>

/// Under what a call of the keychain is made: which context proves, and what the owner is told.
struct CallContext {
  /// The one that the program brought; `nil`: each call has one of its own.
  var context: (any KeychainAuthenticationContext)?
  /// Why the owner is asked, where the context does not say it.
  var prompt: String?
  var mayAsk = true

  /// Makes a call. Blocks while the owner is asked.
  func make<Value>(_ body: (inout OwnersKeychain) throws(KeychainError) -> Value) throws(KeychainError) -> Value {
    if let context {
      // One that was invalidated proves nothing any more.
      guard !context.keychainContext.isInvalid else { throw KeychainError(errSecAuthFailed) }
      var keychain = OwnersKeychain(ConnectedVault(context.keychainContext, host))
      return try body(&keychain)
    }
    let result: Result<Value, KeychainError> = PrivateContexts.use { context, turn in
      var prompt = host
      prompt.whenUsed = turn.end
      var keychain = OwnersKeychain(ConnectedVault(context, prompt))
      do throws(KeychainError) {
        let value = try body(&keychain)
        return (.success(value), keychain.vault.host.wasUsed)
      } catch { return (.failure(error), keychain.vault.host.wasUsed) }
    }
    return try result.get()
  }

  private var host: OwnerPrompt {
    var prompting = context?.keychainPrompting ?? Prompting(reason: "")
    if let prompt { prompting.reason = prompt }
    return OwnerPrompt(prompting, mayAsk: mayAsk && context?.mayAskOwner != false)
  }
}

extension ItemQuery {
  var calls: CallContext { CallContext(context: context, prompt: prompt, mayAsk: asking == .allow) }
}
