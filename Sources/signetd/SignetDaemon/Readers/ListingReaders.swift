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
  /// - Parameter wait: Waits until there is something to read from one of two descriptors, those that are not -1, or for a
  ///   heartbeat's time: what signet-reader says, and the bell of who is told of an answer that another one read. False where
  ///   nobody wants the answer any more.
  package func list<Failure>(wait: (_ reader: Int32, _ news: Int32) throws(Failure) -> Bool) throws(Failure) -> Listed {
    guard var packet = SecretBytes(capacity: PacketLimit.readerPacket) else { return .unavailable }
    let deadline = bootMilliseconds() + ReaderSession.openLimit
    let waiter = listingNews.join()
    var progress = beginListing()
    while case .asked(let descriptor) = progress, bootMilliseconds() < deadline {
      guard try wait(descriptor, waiter.descriptor) else { return .unavailable }
      waiter.looks()
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
  package func inventory<Failure>(wait: (_ reader: Int32, _ news: Int32) throws(Failure) -> Bool) throws(Failure) -> Listed {
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
      if state.listing.isAsked { return .asked(ReaderStation.descriptor(state)) }
      // The holder's process is the holder's to replace.
      if state.holder != nil, let process = state.process, !process.isRunning { return .failed }
      do throws(SystemError) {
        let process = try process(&state)
        let operation = ReaderStation.nextOperation(&state)
        state.listing.ask(operation)
        state.idleSince = bootMilliseconds()
        guard ReaderStation.send(.list(operation: operation), to: process) else { return ReaderStation.fail(&state) }
        return .asked(ReaderStation.descriptor(state))
      } catch {
        Log.write(.error, error.description)
        return .failed
      }
    }
  }

  /// What to read the answer from: what comes for a holder is the holder's to read.
  private static func descriptor(_ state: State) -> Int32 {
    state.holder == nil ? state.process?.channel.raw ?? -1 : -1
  }

  private func continueListing(_ packet: inout SecretBytes) -> Progress {
    let progress = readListing(&packet)
    if case .asked = progress { return progress }
    // Others may wait for the same answer.
    listingNews.wake()
    return progress
  }

  /// Reads what has come, where nobody has the readers.
  private func readListing(_ packet: inout SecretBytes) -> Progress {
    state.withLock { state in
      if let readers = state.listing.answer(at: bootMilliseconds()) { return .answered(readers) }
      guard state.listing.isAsked, let process = state.process else { return .failed }
      guard state.holder == nil else { return .asked(ReaderStation.descriptor(state)) }
      defer { packet.removeAll() }
      do {
        while try Channel.receive(into: &packet, from: process.channel.raw) {
          let event = try ReaderStation.event(in: packet)
          state.note(event)
          if let readers = state.listing.answer(at: bootMilliseconds()) { return .answered(readers) }
        }
        return .asked(ReaderStation.descriptor(state))
      } catch {
        return ReaderStation.fail(&state)
      }
    }
  }

  /// Ends a question that was not answered in time.
  private func endListing() {
    state.withLock { _ = ReaderStation.fail(&$0) }
    listingNews.wake()
  }

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
