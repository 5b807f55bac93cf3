import DaemonAccounts
import DaemonAudit
import DaemonReaders
import DaemonService
import SignetFiles
import SignetVocabulary

/// The strike of a scan that was cancelled, until the reader has ended it, or that came to nothing before. After a cancel it is
/// given back only where the reader itself says that it judged nothing, and told of no finger since it was armed last. Whoever
/// cancels while the finger lies there has had a look, because some readers tell a match sooner than a miss: else silence would
/// tell that it is a miss, for nothing. Of a reader that tells of no finger nobody knows whether one lay there: its cancels are counted,
/// and some of them make a strike. A touch that the reader found poor before, in the same scan, is one of the poor scans,
/// which are charged by their number.
///
/// It belongs to one thread at a time. (`cancelled` in charging.pml.)
final class CancelledScan {
  private let attempt: Attempt
  /// Made here, because the client may be gone when it is needed.
  private let requester: Requester
  private let poorScans: Int
  private var strike: ChargedStrike?

  /// `poorScans` have added up.
  init(_ strike: consuming ChargedStrike, of attempt: Attempt, poorScans: Int) {
    self.attempt = attempt
    self.poorScans = poorScans
    requester = attempt.requester
    self.strike = consume strike
  }

  /// A strike that nobody settles stays.
  func settle(_ ending: CancelledOperation.Ending) {
    guard let strike = strike.take() else { return }
    let charged = attempt.strikes
    let result: Result<Void, SystemError>
    switch ending {
    case .undecided: result = strike.giveBack(poorScans: poorScans)
    case .unseen: result = strike.giveBack(poorScans: poorScans, isUnseen: true)
    case .doubtful:
      strike.keep()
      return record(.strikeKept(strikes: attempt.strikes))
    }
    if case .failure(let error) = result {
      Log.write(.error, "a strike of \(attempt.user.name) could not be given back: \(error.description)")
      return record(.stateUnusable)
    }
    let strikes = attempt.strikes
    record(strikes < charged ? .strikeGivenBack(strikes: strikes) : .strikeKept(strikes: strikes))
  }

  private func record(_ event: Event) { attempt.prover.audit.record(event, of: attempt.user, by: requester) }
}
