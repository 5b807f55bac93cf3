import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetVocabulary

/// A reader that could not be used, so that its user is asked for the passcode, and that may come back while the question stands.
///
/// It is not polled for: a bell rings when something is plugged in or out, and when the readers are free.
final class AwayReader {
  private let attempt: Attempt
  let fingers: [EnrolledFinger]
  /// Where the client listens while it asks for the passcode.
  private var watcher: Changes.Watcher?
  private var presence = ReaderPresence()
  /// Until when the question stands, on the boot clock: readers that come and go do not prolong it.
  let deadline = bootMilliseconds() + PasscodeDialog.answerLimit

  /// `stop`: why the reader could not be used.
  init(of fingers: [EnrolledFinger], for attempt: Attempt, after stop: Evaluation.Stop?) {
    self.attempt = attempt
    self.fingers = fingers
    note(stop)
  }

  /// For poll(2): readable when a look is worth it; -1 where nobody listens.
  var descriptor: Int32 { watcher?.bell.descriptor ?? -1 }

  /// The client listens from here on.
  func follow() { watcher = attempt.prover.readers.changes.watch(attempt.user.uid, .readers) }

  /// A claim was made on the readers; `isClaimed`: whether it was granted.
  func wasTried(_ isClaimed: Bool) { presence.tried(isClaimed) }

  /// Why scanning has ended again.
  func note(_ stop: Evaluation.Stop?) {
    switch stop {
    case .readerGone, .lidClosed: presence.lost()
    default: break
    }
  }

  /// Looks at the readers: whether one of the user's is there again.
  func isBack() throws(ClientConnection.Interruption) -> Waited<Bool> {
    guard let watcher else { return .answer(false) }
    watcher.bell.silence()
    switch try attempt.inventory(heartbeats: false) {
    case .answer(nil): return .answer(false)
    case .request(let kind): return .request(kind)
    case .answer(let readers?):
      let cover = attempt.prover.lid.cover
      let isThere = readers.contains { reader in
        cover.leaves(reader) && fingers.contains { $0.reader == reader.identifier }
      }
      return .answer(presence.seen(isThere))
    }
  }
}

/// Whether a reader has come back: it went away since it was last tried, and is there now.
///
/// One that is there and could not be used is not tried again before that: it would be tried without end, and its user told as often.
struct ReaderPresence: Equatable {
  private enum State { case tried, away, back }

  private var state = State.tried
  /// How often a reader may come back in one login.
  private var returnsLeft = 16

  /// It is not there, or cannot be reached.
  mutating func lost() { state = .away }

  /// What a look found; true where the reader is to be tried.
  mutating func seen(_ isThere: Bool) -> Bool {
    switch (state, isThere) {
    case (_, false): state = .away
    case (.away, true) where returnsLeft > 0:
      returnsLeft -= 1
      state = .back
    case (_, true): break
    }
    return state == .back
  }

  /// It was tried; again when it is free, where somebody else had it.
  mutating func tried(_ isClaimed: Bool) { if isClaimed { state = .tried } }
}
