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
  /// Those without a record of their own.
  private var count = 0
  private var last: Attempt?
  private var hasRecorded = false

  func record(_ method: EvidenceMethod, _ access: VaultAccess) {
    guard method == .none, hasRecorded else {
      hasRecorded = hasRecorded || method == .none
      return access.attempt().record(.itemReleased(method))
    }
    count += 1
    if last == nil { last = access.attempt() }
  }

  /// Records how many there were, at the end of the connection.
  func close() {
    if count > 0 { last?.record(.repeated(.itemReleased, count: count)) }
    (count, last) = (0, nil)
  }
}
