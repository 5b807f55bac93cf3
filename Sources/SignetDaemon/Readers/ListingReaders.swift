import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

extension ReaderStation {
  /// What there is to say about the readers.
  package enum Listed {
    case readers([ReaderDescription])
    /// signet-reader does not answer.
    case unavailable
    /// The machine is about to sleep.
    case asleep
  }

  /// The readers that there are, `ReaderListing.most` of them, whoever uses them now: signet-reader answers this in the middle
  /// of anything else. A second signet-reader that looks for readers would disturb the first, since drivers reset a reader
  /// to find out what it is.
  ///
  /// - Parameter wait: Waits for a moment, or until there is something to read from the descriptor, where it is not -1.
  package func list<Failure>(wait: (Int32) throws(Failure) -> Void) throws(Failure) -> Listed {
    guard var packet = SecretBytes(capacity: PacketLimit.readerPacket) else { return .unavailable }
    let deadline = bootMilliseconds() + ReaderSession.openLimit
    var progress = beginListing()
    while case .asked(let descriptor) = progress, bootMilliseconds() < deadline {
      try wait(descriptor)
      progress = continueListing(&packet)
    }
    switch progress {
    case .answered(let readers): return .readers(readers)
    case .asleep: return .asleep
    case .failed: return .unavailable
    case .asked:
      endListing()
      return .unavailable
    }
  }

  /// The same from memory where nothing was plugged in or out since, and without readers that were removed while in use: for who only
  /// wants to know whether there is a reader.
  package func inventory<Failure>(wait: (Int32) throws(Failure) -> Void) throws(Failure) -> Listed {
    let folders = DeviceFolders.now
    let known = state.withLock { state in
      state.suspension.holds(at: monotonicMilliseconds()) ? nil : state.inventory.readers(folders, at: bootMilliseconds())
    }
    if let known { return .readers(known) }
    let listed = try list(wait: wait)
    guard case .readers(let readers) = listed else { return listed }
    return state.withLock { state in
      state.inventory.keep(readers, folders, at: bootMilliseconds())
      return .readers(state.inventory.present(readers))
    }
  }

  private enum Progress {
    /// It is asked. The descriptor to read from, or -1 where the one who has the readers reads the answer too.
    case asked(Int32)
    case answered([ReaderDescription])
    case asleep
    case failed
  }

  /// Asks, unless an answer is fresh or somebody has asked already.
  private func beginListing() -> Progress {
    state.withLock { state in
      if state.suspension.holds(at: monotonicMilliseconds()) { return .asleep }
      if let readers = state.listing.answer(at: bootMilliseconds()) { return .answered(readers) }
      if state.listing.isAsked { return .asked(-1) }
      // The holder's process is the holder's to replace.
      if state.holder != nil, let process = state.process, !process.isRunning { return .failed }
      do throws(SystemError) {
        let process = try process(&state)
        let operation = ReaderStation.nextOperation(&state)
        state.listing.ask(operation)
        state.idleSince = bootMilliseconds()
        guard ReaderStation.send(.list(operation: operation), to: process) else { return ReaderStation.fail(&state) }
        return .asked(state.holder == nil ? process.channel.raw : -1)
      } catch {
        Log.write(.error, error.description)
        return .failed
      }
    }
  }

  /// Reads what has come, where nobody has the readers: what comes for a holder is the holder's to read.
  private func continueListing(_ packet: inout SecretBytes) -> Progress {
    state.withLock { state in
      if let readers = state.listing.answer(at: bootMilliseconds()) { return .answered(readers) }
      guard state.listing.isAsked, let process = state.process else { return .failed }
      guard state.holder == nil else { return .asked(-1) }
      defer { packet.removeAll() }
      do {
        while try Channel.receive(into: &packet, from: process.channel.raw) {
          let event = try ReaderStation.event(in: packet)
          state.note(event)
          if let readers = state.listing.answer(at: bootMilliseconds()) { return .answered(readers) }
        }
        return .asked(process.channel.raw)
      } catch {
        return ReaderStation.fail(&state)
      }
    }
  }

  /// Ends a question that was not answered in time.
  private func endListing() { state.withLock { _ = ReaderStation.fail(&$0) } }

  /// signet-reader is replaced, unless it is a holder's, who will notice.
  private static func fail(_ state: inout State) -> Progress {
    state.listing.fail()
    if state.holder == nil { state.process = nil }
    return .failed
  }

  private static func send(_ command: ReaderCommand, to process: ChildProcess) -> Bool {
    guard var packet = SecretBytes(capacity: 64), (try? command.write(into: &packet)) != nil else { return false }
    return (try? Channel.send(packet, on: process.channel.raw)) != nil
  }

  private static func event(in packet: borrowing SecretBytes) throws(FormatError) -> ReaderEvent {
    try ReaderEvent(parsing: packet.span)
  }
}
