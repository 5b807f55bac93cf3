import Synchronization

/// One token at a time for each user. The TPM takes its time for each, in a process of its own: who asks for many at once waits for
/// themselves, and takes neither the TPM nor processes from others.
final class SigningTurns: Sendable {
  private final class Turn: Sendable {
    let lock = Mutex(())
  }

  private let turns = Mutex<[UInt32: Turn]>([:])

  /// Waits for the user's other tokens, and keeps them waiting while `body` runs.
  func take<Value: Sendable, Failure: Error>(
    of uid: UInt32, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let turn = turns.withLock { turns in
      let turn = turns[uid] ?? Turn()
      turns[uid] = turn
      return turn
    }
    let result = turn.lock.withLock { _ in Result { () throws(Failure) in try body() } }
    return try result.get()
  }
}
