import CFprint
import SignetVocabulary
import SignetWire

/// Takes signetd's commands from the channel, and gives each to the reader that it is for. `list` and `cancel` are answered at once.
final class CommandLoop {
  private let channel: CommandChannel
  let available = AvailableReaders()
  /// As many as were ever open side by side: libfprint's callbacks point at them as long as the loop runs.
  private var services: [ReaderService] = []
  /// Since the last `open`, by the place of a reader among the services: the operation that opened it, and the index that each of its
  /// templates has among those of all readers.
  private var opened: [(operation: UInt32, indices: [UInt16])] = []
  private var templates: UInt16 = 0
  /// Commands that wait for another reader than their own.
  private var held: [ReaderCommand] = []
  /// What scans on several readers came to so far.
  private var scan: SharedScan?
  private var isStale = false
  /// Whether readers are being looked for, while which the loop runs and nothing may begin: a command that did would overtake the one
  /// that looks, a template its `open`.
  private(set) var isLooking = false
  private var isEnding = false
  private var status: Int32 = 0
  private var watch: guint = 0
  private let loop = g_main_loop_new(nil, 0)!

  init(channel: CommandChannel) {
    self.channel = channel
    services = [ReaderService(for: self)]
  }

  /// Serves the channel until it ends. Returns the process's exit status.
  func run() -> Int32 {
    leaveWithChannel(channel.descriptor)
    listen()
    g_main_loop_run(loop)
    return status
  }

  private func listen() {
    let conditions = GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
    let context = Unmanaged.passUnretained(self).toOpaque()
    watch = g_unix_fd_add(
      channel.descriptor, conditions,
      { _, _, context in Unmanaged<CommandLoop>.fromOpaque(context!).takeUnretainedValue().receive() ? 1 : 0 }, context)
  }

  /// Takes all waiting commands; false when the channel has ended.
  private func receive() -> Bool {
    do {
      while let command = try channel.receive() { accept(command) }
    } catch {
      watch = 0
      if case .malformed(let what) = error {
        log(.error, "channel", what)
        channel.abandon()
        status = 1
      }
      isEnding = true
      held.removeAll()
      for service in services { service.leave() }
      return false
    }
    advance()
    return true
  }

  private func accept(_ command: ReaderCommand) {
    switch command {
    case .cancel(let operation): cancel(operation)
    case .list(let operation) where !services.allSatisfy(\.isSettled): list(operation)
    default: held.append(command)
    }
  }

  /// Gives out the commands whose turn it is.
  func advance() {
    if isLooking { return }
    if isEnding, services.allSatisfy(\.isQuiet) { return g_main_loop_quit(loop) }
    while let next = held.first, mayBegin(next) { give(held.removeFirst()) }
  }

  private func mayBegin(_ command: ReaderCommand) -> Bool {
    // Whatever follows a scan on several readers waits until it has ended on all of them.
    if scan != nil { return false }
    switch command {
    case .open:
      for service in services.dropFirst() where !service.isQuiet { service.leave() }
      return services.dropFirst().allSatisfy(\.isQuiet)
    // The first `open` looks for the readers, and does that while none is open.
    case .openBeside: return !services[0].isWaiting
    default: return true
    }
  }

  private func give(_ command: ReaderCommand) {
    switch command {
    case .open(let operation, _):
      opened = [(operation, [])]
      templates = 0
      services[0].accept(command)
    case .openBeside(let operation, let reader): openBeside(operation, reader)
    case .template(let operation, _):
      let place = opened.firstIndex { $0.operation == operation } ?? 0
      if !opened.isEmpty { opened[place].indices.append(templates) }
      templates &+= 1
      services[place].accept(command)
    case .choose(let operation, let index):
      for place in opened.indices {
        guard let own = opened[place].indices.firstIndex(of: index).flatMap({ UInt16(exactly: $0) }) else { continue }
        services[place].accept(.choose(operation: operation, index: own))
      }
    case .identify(let operation) where opened.count > 1:
      scan = SharedScan(operation, readers: opened.count)
      for place in opened.indices { services[place].accept(command) }
    case .close:
      opened.removeAll()
      for service in services.dropFirst() { service.leave() }
      services[0].accept(command)
    default: services[0].accept(command)
    }
  }

  private func openBeside(_ operation: UInt32, _ reader: String) {
    guard !opened.isEmpty, opened.count < ReaderCommand.openLimit else {
      let why = opened.isEmpty ? "no reader is open" : "\(ReaderCommand.openLimit) readers are open"
      return channel.send(.failed(operation: operation, .other, explanation: why))
    }
    if services.count == opened.count { services.append(ReaderService(for: self)) }
    opened.append((operation, []))
    services[opened.count - 1].accept(.open(operation: operation, reader: reader))
  }

  private func cancel(_ operation: UInt32) {
    if let scan, scan.operation == operation {
      for place in scan.running { _ = services[place].cancel(operation) }
      return
    }
    let count = held.count
    held.removeAll { $0.isAnswered && $0.operation == operation }
    if held.count < count { return services[0].refuse(operation, .cancelled, "cancelled before it began") }
    if services.contains(where: { $0.cancel(operation) }) { return }
    channel.send(.idle(operation: operation))
  }

  /// What a reader has to say. Of a scan on several signetd hears as if it were one.
  func tell(_ event: ReaderEvent, of service: ReaderService) {
    guard let operation = scan?.operation, operation == event.operation,
      let place = services.firstIndex(where: { $0 === service })
    else { return channel.send(event) }
    let wasDecided = scan?.isDecided ?? true
    for word in scan?.hear(numbered(event, place), from: place) ?? [] { channel.send(word) }
    let others = scan?.running ?? []
    if others.isEmpty { scan = nil }
    guard !wasDecided, scan?.isDecided == true else { return }
    for other in others where other != place { _ = services[other].cancel(operation) }
  }

  /// A match with its index among the templates of all readers.
  private func numbered(_ event: ReaderEvent, _ place: Int) -> ReaderEvent {
    guard case .match(let operation, let index) = event else { return event }
    guard opened.indices.contains(place), opened[place].indices.indices.contains(Int(index)) else {
      return .failed(operation: operation, .other, explanation: "the driver matched a template that is not loaded")
    }
    return .match(operation: operation, index: opened[place].indices[Int(index)])
  }

  // MARK: Which readers there are

  func list(_ operation: UInt32) {
    enumerate()
    for (identifier, device) in available.all() {
      var description = ReaderDescription(identifier: identifier, device: device)
      // What this process has itself, until it is closed, is held by nobody else.
      if !isInUse(device), USBPlace(of: device)?.isClaimed() == true { description.obstacle = .heldByOther }
      channel.send(.reader(operation: operation, description))
    }
    channel.send(.listed(operation: operation))
  }

  func isInUse(_ device: UnsafeMutablePointer<FpDevice>) -> Bool { services.contains { $0.reader?.device == device } }

  private var isAnyInUse: Bool { services.contains { $0.reader != nil } }

  /// Looks for readers, unless one is in use: the USB connection of that is the list's. This runs the loop, and no command may be taken
  /// in the meantime.
  func enumerate() {
    if isAnyInUse || isLooking { return }
    isLooking = true
    defer { isLooking = false }
    if isStale { available.forget() }
    isStale = false
    if watch != 0 { g_source_remove(watch) }
    available.enumerate()
    if watch != 0 { listen() }
  }

  /// Has the readers looked for anew, as soon as none is in use.
  func forgetReaders() {
    isStale = isAnyInUse
    if !isStale { available.forget() }
  }
}
