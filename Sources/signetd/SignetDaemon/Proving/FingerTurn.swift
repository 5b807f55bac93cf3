import DaemonAccounts
import DaemonConnections
import DaemonReaders
import SignetVocabulary

/// Which finger is asked for, where a reader compares a scan with one template at a time. The prompt names it, so that nobody is charged
/// for a finger that was not asked for. First is the one that matched last, else the first in the list of fingers; after a miss the next is
/// asked for, so that who cannot use one is not kept from the others. Each scan is charged as any other, whichever finger was named.
struct FingerTurn {
  private let order: [Finger]
  private var place: Int

  /// Of the fingers on such readers; `nil` where each of those has one, which needs no name. `preferred`: which is first.
  init?(among fingers: [EnrolledFinger], preferred: Finger?) {
    guard Dictionary(grouping: fingers, by: \.reader).values.contains(where: { $0.count > 1 }) else { return nil }
    order = EnrolledFinger.inTurn(fingers)
    place = preferred.flatMap(order.firstIndex) ?? 0
  }

  var finger: Finger { order[place] }

  mutating func advance() { place = (place + 1) % order.count }
}

/// What asks for the touches of an evaluation.
struct TouchCall {
  private let attempt: Attempt
  private let opening: OpeningReaders
  private let order: UInt8
  private var turn: FingerTurn?

  /// `opening`: readers of which one is open. `order`: which of the bits of `TouchForm` says whether the passcode is asked for, too.
  init(_ opening: OpeningReaders, _ order: UInt8, of attempt: Attempt) {
    (self.opening, self.order, self.attempt) = (opening, order, attempt)
    let fingers = opening.comparedAlone
    if fingers.isEmpty { return }
    let preferred = attempt.account.nextFinger ?? attempt.store.value.matchedFinger(of: attempt.user.uid)
    turn = FingerTurn(among: fingers, preferred: preferred)
  }

  /// Whether a finger is asked for by its name: here, or by who asks for this evaluation.
  var isNamed: Bool { turn != nil || attempt.request.wanted.finger != nil }

  /// Has the next scan compared with the finger that is named; false where signet-reader is gone.
  func isChosen(with reader: ReaderSession) -> Bool {
    do throws(ReaderTrouble) {
      if let turn { try opening.choose(turn.finger, with: reader) }
      return true
    } catch { return false }
  }

  func show() throws(ClientConnection.Interruption) {
    let named = TouchForm.naming(turn?.finger.rawValue ?? 0)
    try attempt.client.show(
      .touchReader, value: (opening.isSwipe ? TouchForm.swipe : 0) | order | named, detail: opening.shownNames(for: turn?.finger))
  }

  /// The next evaluation goes on with the next finger: a program on the bus asks for one touch at a time.
  func missed() {
    guard var next = turn else { return }
    next.advance()
    attempt.account.nextFinger = next.finger
  }

  /// Asks for the next finger after a miss, before the reader is armed: one that still lies there may be judged at once. Where the words
  /// stand that ask for the first, it stays that one.
  mutating func showNext() throws(ClientConnection.Interruption) {
    guard turn != nil, attempt.request.question != .standing else { return }
    turn?.advance()
    try show()
  }
}
