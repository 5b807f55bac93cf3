import DaemonProving
import SignetAuthentication
import SignetVault
import SignetVocabulary

/// What requests that follow one another on a connection know of each other. A request that is alone has one of its own.
struct HeldEvidence {
  /// What was proved before in the same context; `nil` for a request that is alone.
  var kept: KeptEvidence?
  /// Of the same connection.
  var releases = ReleaseTally()

  /// What was proved before, and still counts. It takes a look at the account: ask where something has to be proved at all.
  var proof: Proof { kept?.proof ?? [] }

  /// Something is about to be asked for.
  func prepare() { kept?.prepare() }

  /// Takes what is proved now. Call it when it is proved, while the account cannot be locked.
  func note(_ evidence: borrowing AuthenticationEvidence) { kept?.keep(evidence) }
}

/// Records the releases of one connection. Those for which nothing was proved are summed up: a program may read what asks for
/// nothing thousands of times a second, and a row and an entry for each would push out all that matters.
final class ReleaseTally {
  /// Of each kind for which nothing was proved: how many have no record of their own, and who asked for the first of these.
  private var more: [Event.Kind: (count: Int, first: Attempt?)] = [:]

  /// `method`: what was proved for the release.
  func record(_ release: Event, by method: EvidenceMethod, _ access: VaultAccess) {
    guard method == .none else { return access.attempt().record(release) }
    guard let (count, first) = more[release.kind] else {
      more[release.kind] = (0, nil)
      return access.attempt().record(release)
    }
    more[release.kind] = (count + 1, first ?? access.attempt())
  }

  /// Records how many there were, at the end of the connection.
  func close() {
    for (kind, rest) in more.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      rest.first?.record(.repeated(kind, count: rest.count))
    }
    more = [:]
  }
}
