import DaemonAccounts
import DaemonConnections
import DaemonProving
import DaemonReaders
import DaemonService
import SignetFiles
import SignetVocabulary
import SignetWire

/// Enrolling a finger: a fresh passcode, the reader's stages, and the template on disk before anything of the old one goes.
struct Enrollment {
  let attempt: Attempt

  private var client: ClientConnection { attempt.client }
  private var user: User { attempt.user }
  private var addition: FingerAddition { FingerAddition(attempt: attempt) }

  typealias Interruption = ClientConnection.Interruption

  /// How long the whole enrolling may take, in milliseconds.
  private static let limit: Int64 = 5 * 60_000

  func run(_ finger: Finger?, onReader wanted: String) throws(Interruption) {
    if let refusal = try look(for: wanted) { return client.refuse(refusal) }
    try addition.run(as: "signet enroll") { session throws(Refusal) in
      try enroll(finger, onReader: wanted, with: session)
    }
  }

  /// Why there is nothing to enroll on, as far as can be told without claiming the readers: nobody types a passcode for that.
  private func look(for name: String) throws(Interruption) -> Refusal? {
    client.phase = .working
    var isCancelled = false
    let listed = try attempt.prover.readers.list { reader, news throws(Interruption) in
      if case .request(.cancel) = try client.wait(for: reader, news, until: .max) { isCancelled = true }
      return !isCancelled
    }
    if isCancelled { return .cancelled }
    guard case .readers(let readers) = listed else { return nil }
    do throws(Refusal) { _ = try choose(name, of: readers) } catch { return error }
    return nil
  }

  private func enroll(_ wanted: Finger?, onReader name: String, with session: ReaderSession) throws(Refusal) {
    guard let readers = session.list() else { throw .readerUnavailable }
    let reader = try choose(name, of: readers)
    let known = try addition.stored().filter { $0.reader == reader.identifier }
    let finger: Finger
    if let wanted { finger = wanted } else { finger = try firstFree(of: known) }
    // The finger that is enrolled anew may of course resemble itself.
    let others = known.filter { $0.finger != finger }
    var enrolled = EnrolledFinger(
      uid: user.uid, owner: user.name, finger: finger, reader: reader.identifier, isSwipe: reader.isSwipe,
      enrolled: wallSeconds())
    try seal(template(reader, others, with: session), in: &enrolled, with: session, hasStorage: reader.hasStorage)
    try keep(enrolled, replacing: known.first { $0.finger == finger }, with: session, hasStorage: reader.hasStorage)
  }

  /// Takes the template, after making room for it on a full chip.
  private func template(
    _ reader: ReaderDescription, _ others: [EnrolledFinger], with session: ReaderSession
  ) throws(Refusal) -> ClearTemplate {
    do throws(StorageFull) {
      return try capture(reader, others, with: session)
    } catch {
      if let refusal = error.refusal { throw refusal }
    }
    try prune(reader, with: session)
    do throws(StorageFull) { return try capture(reader, others, with: session) } catch {
      throw error.refusal ?? .storageFull(reader.name)
    }
  }

  /// Seals the template; what cannot be sealed is taken off the chip again.
  private func seal(
    _ template: ClearTemplate, in finger: inout EnrolledFinger, with session: ReaderSession, hasStorage: Bool
  ) throws(Refusal) {
    do throws(Refusal) { try addition.seal(template, in: &finger) } catch {
      if hasStorage { _ = try? session.begin { .deletePrint(operation: $0, template) } }
      throw error
    }
  }

  private func choose(_ name: String, of readers: [ReaderDescription]) throws(Refusal) -> ReaderDescription {
    if name.isEmpty {
      guard let only = readers.first else { throw .noReader }
      // So many as are sure to fit into a packet.
      guard readers.count == 1 else { throw .severalReaders(readers.prefix(16).map(\.identifier)) }
      return only
    }
    guard let reader = readers.first(where: { $0.identifier == name }) else {
      throw .noSuchReader(name)
    }
    return reader
  }

  private func firstFree(of known: [EnrolledFinger]) throws(Refusal) -> Finger {
    let taken = Set(known.map(\.finger))
    let order: [Finger] = [.rightIndexFinger, .leftIndexFinger, .rightThumb, .leftThumb] + Finger.allCases
    guard let free = order.first(where: { !taken.contains($0) }) else { throw .allFingersEnrolled }
    return free
  }

  /// A full match-on-chip store (no refusal), or a refusal.
  private struct StorageFull: Error { var refusal: Refusal? }

  /// Opens the reader, has it check the finger against `others`, and takes the template.
  private func capture(
    _ reader: ReaderDescription, _ others: [EnrolledFinger], with session: ReaderSession
  ) throws(StorageFull) -> ClearTemplate {
    guard let opening = try? session.beginOpening(reader.identifier, fingers: others, of: attempt.store.value) else {
      throw StorageFull(refusal: .readerNotStarted)
    }
    switch session.awaitOpened(opening.operation) {
    case .done: break
    case .failed(.heldByOther, let detail):
      throw StorageFull(refusal: .readerFailed(reader.name, .heldByOther, detail: detail))
    case .failed, .left: throw StorageFull(refusal: .readerNotOpened(reader.name))
    }
    if let arrival = session.awaitLift(until: bootMilliseconds() + Enrollment.limit) {
      if case .trouble = arrival { throw StorageFull(refusal: .readerEnded) }
      throw StorageFull(refusal: .cancelled)
    }
    guard let operation = try? session.begin({ .enroll(operation: $0) }) else {
      throw StorageFull(refusal: .readerEnded)
    }
    return try follow(operation, reader, opening.fingers, with: session)
  }

  /// Passes the stages on to the client until the template is there.
  private func follow(
    _ operation: UInt32, _ reader: ReaderDescription, _ others: [EnrolledFinger], with session: ReaderSession
  ) throws(StorageFull) -> ClearTemplate {
    let deadline = bootMilliseconds() + Enrollment.limit
    var completed: UInt8 = 0
    var duplicate: Finger?
    while true {
      switch session.next(of: operation, until: deadline) {
      case .event(.armed): try? client.show(.touchReader, value: reader.isSwipe ? 1 : 0)
      case .event(.enrollStage(_, let stage)):
        // Some readers count on after the announced number, or begin anew.
        completed = min(max(completed, stage), reader.enrollStages)
        try? client.send(.enrollStage(completed: completed, of: reader.enrollStages, retry: nil))
      case .event(.poorScan(_, let retry)):
        try? client.send(.enrollStage(completed: completed, of: reader.enrollStages, retry: retry))
      case .event(.match(_, let index)):
        duplicate = others.indices.contains(Int(index)) ? others[Int(index)].finger : nil
      case .event(.enrolled(_, let template)):
        // Some readers need fewer stages than they announce. To the user, an enrolled finger is a finished one.
        if completed < reader.enrollStages {
          try? client.send(.enrollStage(completed: reader.enrollStages, of: reader.enrollStages, retry: nil))
        }
        return template
      case .event(.failed(_, let failure, let explanation)): throw refusal(failure, explanation, duplicate, reader)
      case .event(.finger), .event(.fingerOff): continue
      // These belong to other operations.
      case .event(.reader), .event(.listed), .event(.opened), .event(.miss), .event(.pruned), .event(.idle),
        .event(.examined):
        continue
      case .request, .interrupted, .deadline, .recalled:
        session.cancel(operation)
        throw StorageFull(refusal: .cancelled)
      case .trouble:
        throw StorageFull(refusal: .readerEnded)
      }
    }
  }

  private func refusal(
    _ failure: ReaderFailure, _ detail: String, _ duplicate: Finger?, _ reader: ReaderDescription
  ) -> StorageFull {
    switch failure {
    case .storageFull: StorageFull(refusal: nil)
    case .duplicate: StorageFull(refusal: duplicate.map { .duplicateFinger($0) } ?? .duplicateOnReader(reader.name))
    default: StorageFull(refusal: .readerFailed(reader.name, failure, detail: detail))
    }
  }

  /// Removes from the chip what no user owns any more. A template that does not open may be one of the chip's: then
  /// nothing is removed.
  private func prune(_ reader: ReaderDescription, with session: ReaderSession) throws(Refusal) {
    do {
      for uid in try attempt.store.value.uids() {
        for finger in try attempt.store.value.fingers(of: uid, named: nil).usable where finger.reader == reader.identifier {
          try session.load(attempt.store.value.template(of: finger))
        }
      }
      let operation = try session.begin { .prune(operation: $0) }
      switch session.awaitEnd(of: operation, until: bootMilliseconds() + 30_000) {
      case .done(let count):
        Log.write(.notice, "prints without an owner removed", [("reader", reader.identifier), ("count", "\(count)")])
      case .failed(.some, let explanation): throw Refusal.storageNotCleared(reader.name, detail: explanation)
      case .failed(nil, _), .left: throw Refusal.readerSilent(reader.name)
      }
    } catch let error as SystemError {
      throw .stateUnusable(error)
    } catch {
      throw error as? Refusal ?? .readerSilent(reader.name)
    }
  }

  /// Puts the template on disk; the old one of the same finger is replaced in the same step, and only then taken off the
  /// chip. What could not be kept is taken off the chip again.
  private func keep(
    _ finger: EnrolledFinger, replacing old: EnrolledFinger?, with session: ReaderSession, hasStorage: Bool
  ) throws(Refusal) {
    do throws(Refusal) { try addition.keep(finger, .enrolled) } catch {
      if hasStorage { removeFromChip(finger, with: session) }
      throw error
    }
    if hasStorage, let old { removeFromChip(old, with: session) }
  }

  private func removeFromChip(_ finger: EnrolledFinger, with session: ReaderSession) {
    guard let template = try? attempt.store.value.template(of: finger) else { return }
    _ = try? session.begin { .deletePrint(operation: $0, template) }
  }
}
