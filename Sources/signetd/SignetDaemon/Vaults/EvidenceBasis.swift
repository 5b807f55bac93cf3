import DaemonService
import SignetAuthentication

extension Vault {
  /// What evidence of this user rests on now; see `ContextEvidence`. `fingers`: what stood for the fingers when the evidence was asked
  /// for, if that was before.
  package func basis(of user: User, fingers: [UInt8]? = nil) -> ContextEvidence.Basis {
    ContextEvidence.Basis(locks: keys.erasures(user.uid), fingers: fingers ?? domainState(of: user))
  }

  /// What stands for the user's enrolled fingers; empty where there is none.
  package func domainState(of user: User) -> [UInt8] {
    store.value.domainState(of: (try? store.value.fingers(of: user).usable) ?? [])
  }
}
