import CLinux
import DaemonConnections
import DaemonReaders
import DaemonService
import DaemonVaults
import Glibc
import SignetAuthentication
import SignetFiles
import SignetVocabulary

/// signetd's main loop: takes connections, a thread each, ends what is idle, stops on SIGTERM, and begins anew on SIGHUP.
final class Server: Sendable {
  /// How many connections are taken before signetd looks after anything else: in a flood the queue is never empty.
  private static let acceptLimit = 64
  /// How often to look for sessions that ended by their age or without a word, in milliseconds.
  private static let sessionPause: Int64 = 60_000

  private let services: Services
  private let handover: Handover
  private let shutdown = Shutdown()
  /// The uid as which signet-logind runs, where it may lock users with their sessions.
  private let sessionLocker: UInt32?
  /// The uid as which signet-fprint runs, where it is installed.
  private let busService: UInt32?
  private let connections: ConnectionTable

  /// `rate`: how many connections a second one user may make for long; 0 for any number.
  init(_ services: Services, _ handover: Handover, rate: Int64) {
    var limits = Admission.Limits.standard
    limits.rate = rate
    connections = ConnectionTable(limits)
    self.services = services
    self.handover = handover
    sessionLocker = services.prover.configuration.locksWithSession ? Server.uid(of: "signet-logind") : nil
    busService = Server.uid(of: "signet-fprint")
  }

  private static func uid(of name: String) -> UInt32? {
    let name = Array(name.utf8)
    return User(named: name.span)?.uid
  }

  private var readers: ReaderStation { services.prover.readers }
  private var vault: Vault { services.prover.vault }
  private var changes: Changes { services.changes }

  /// Serves until SIGTERM, SIGINT, or the idle exit, or until SIGHUP executes signetd's file anew. These signals must be
  /// blocked in the calling thread already, so that every thread started later has them blocked too.
  ///
  /// `socket` is a path to listen at, in the place of what systemd passes; `idleExit` is in seconds, 0 for never, and without
  /// it 30 where systemd starts signetd again.
  func run(socket: String?, idleExit: Int64?) throws(StartFailure) {
    let passed = try PassedDescriptors()
    var listening = try ListeningSocket(path: socket, passed: passed.socket)
    // Before the keys that were kept: nobody's standing is known without it.
    services.prover.store.value.keeper.awaitPrepared()
    adopt(passed)
    let idleExit = idleExit ?? (listening.isActivated ? 30 : 0)
    var stopping = stopSignals()
    let signals = Descriptor(unsafe signalfd(-1, &stopping, Int32(SFD_CLOEXEC | SFD_NONBLOCK)))
    guard signals.raw >= 0 else { throw StartFailure(description: SystemError.last(.watchSignals).description) }
    // Where systemd starts signetd because somebody asks, most likely for a login, signet-reader starts at the same time. At boot
    // nobody asks yet, and the passcode comes first.
    if listening.isActivated, listening.hasCaller, services.hasAccounts { readers.prepare() }
    listening.begins()
    notify("READY=1")
    Log.write(.info, "ready")

    var lastUse = bootMilliseconds()
    var nextLook = lastUse
    var surroundings = Surroundings()
    while true {
      let sources = [listening.descriptor.raw, signals.raw, connections.bell.descriptor, changes.attention.descriptor]
      var watched = (sources + surroundings.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let pause = pause(idleExit, since: lastUse, [surroundings.due, connections.pulse()].compactMap { $0 }.min())
      _ = unsafe poll(&watched, nfds_t(watched.count), pause)
      connections.bell.silence()
      look(at: &surroundings)
      switch taken(from: signals) {
      case .stop: return stop()
      case .reload: throw reload(listening)
      case nil: break
      }
      var count = 0
      while count < Server.acceptLimit, let socket = listening.accept() {
        begin(socket)
        count += 1
        lastUse = bootMilliseconds()
      }
      connections.report()
      if bootMilliseconds() >= nextLook {
        vault.closeEnded()
        nextLook = bootMilliseconds() + Server.sessionPause
      }
      if isBusy || vault.keys.isAnyHeld || services.prover.store.value.keeper.isInMemoryOnly
        || services.prover.unlocks.isRecent
      {
        lastUse = bootMilliseconds()
      }
      if idleExit > 0, bootMilliseconds() - lastUse >= idleExit * 1000 { break }
    }
    notify("STOPPING=1")
    finish()
  }

  /// Keys that were kept. Whoever is locked by now, by a strike that a crash left charged for instance, has none.
  private func adopt(_ passed: borrowing PassedDescriptors) {
    for (uid, raw) in passed.keys {
      let lock = services.prover.accounts[uid].status.lock
      vault.adopt(
        Descriptor(raw), of: uid, isLocked: [.strikes, .requested, .stateUnusable].contains(lock))
    }
  }

  /// Stopped, perhaps for long: no key stays anywhere. After an idle exit the next request goes on with them.
  private func stop() {
    notify("STOPPING=1")
    finish()
    vault.keys.eraseAll()
  }

  /// Goes on as the program that is installed now, with the vaults that are open. Comes back only where that fails, and then
  /// nothing is open.
  private func reload(_ listening: borrowing ListeningSocket) -> StartFailure {
    notify("RELOADING=1\nMONOTONIC_USEC=\(monotonicMilliseconds() * 1000)")
    finish()
    // A child that is left would be nobody's, and never be reaped.
    readers.suspend()
    let keys = vault.keys.withdraw().map { (DescriptorStore.name(of: $0.uid), $0.descriptor) }
    let error = handover.execute(passing: [(listening.name, listening.descriptor.raw)] + keys)
    notify("STOPPING=1")
    vault.keys.eraseAll()
    return StartFailure(
      description: "\(error.description). All vaults are closed. Install Signet again, then: systemctl restart signetd")
  }

  /// Looks at what happened around signetd, and tells those who watch.
  private func look(at surroundings: inout Surroundings) {
    changes.attention.silence()
    let hasWatchers = changes.hasWatchers
    surroundings.follow(devices: hasWatchers, sessions: hasWatchers || vault.followsSessions, at: bootMilliseconds())
    for news in surroundings.news(at: bootMilliseconds()) {
      switch news {
      case .devices: readers.devicesChanged()
      case .sessions:
        changes.ring()
        vault.closeEnded()
      }
    }
  }

  /// How long to sleep: until something has to be ended or looked at, or for ever.
  private func pause(_ idleExit: Int64, since lastUse: Int64, _ due: Int64?) -> Int32 {
    let rest = pause(idleExit, since: lastUse)
    guard let due else { return rest }
    let look = Int32(clamping: max(0, due - bootMilliseconds()))
    return rest < 0 ? look : min(rest, look)
  }

  private func pause(_ idleExit: Int64, since lastUse: Int64) -> Int32 {
    let reader = readers.endIfIdle()
    if readers.isBusy { return Int32(clamping: reader ?? 1_000) }
    if !connections.isEmpty {
      if !connections.sleeps() { return 1_000 }
      return !hasToLook && !connections.hasToReport ? -1 : Int32(Server.sessionPause)
    }
    // Sessions end by their age, too, and keys with them.
    if hasToLook { return Int32(Server.sessionPause) }
    guard idleExit > 0 else { return connections.hasToReport ? 60_000 : -1 }
    return Int32(clamping: max(0, lastUse + idleExit * 1000 - bootMilliseconds()))
  }

  /// Whether sessions may end without logind saying so.
  private var hasToLook: Bool { vault.followsSessions || !vault.keys.ofSessions.isEmpty }

  private var isBusy: Bool { readers.isBusy || !connections.isEmpty }

  /// Lets the connections that are open end as cancelled by the system, and give back what no finger decided.
  private func finish() {
    shutdown.request()
    let deadline = monotonicMilliseconds() + 2_000
    connections.awaitEmpty(until: deadline)
    // A reader may still have to end what was cancelled; its strike is given back then.
    readers.awaitFree(until: deadline)
    // What the TPM has not counted yet could be undone while the machine is off.
    services.prover.store.value.rollbackGuard.finish(within: max(0, deadline - monotonicMilliseconds()))
    services.prover.audit.close()
    connections.report(isLast: true)
    Log.close()
    Log.write(.info, "stopped")
  }

  private func begin(_ socket: consuming Descriptor) {
    guard let peer = Peer(of: socket.raw) else { return }
    // Before anything is read from /proc: a flood must cost less than what it keeps from others. Root may speak for anybody.
    if !peer.isRoot, connections.isClosed(to: peer.uid, pid: peer.pid) { return Arrival.turnAway(socket, .ofAsker) }
    let arrival = Arrival(socket, from: peer)
    let source = arrival.origin.source
    guard let slot = connections.admit(source, pid: arrival.peer.pid) else { return arrival.turnAway(source.crowd) }
    guard
      let client = ClientConnection(
        arrival, at: slot, permitted: RequestTable.permitted, shutdown: shutdown, sessionLocker: sessionLocker,
        busService: busService)
    else { return connections.leave(slot) }
    let isStarted = startThread { [self] in
      ThreadOrigin.present = source
      if let misuse = RequestTable.serve(client, with: services) {
        connections.complain(misuse, of: source, pid: client.peer.pid)
      }
      connections.leave(slot)
    }
    if !isStarted {
      connections.leave(slot)
      Log.write(.error, "no thread for a connection", [("from", source.description)], for: source)
    }
  }
}

/// What a signal asks for.
private enum SignalRequest { case stop, reload }

/// Takes the signals that came: one that was left would be there again for the next signetd.
private func taken(from signals: borrowing Descriptor) -> SignalRequest? {
  var request: SignalRequest?
  var signal = signalfd_siginfo()
  while unsafe read(signals.raw, &signal, MemoryLayout<signalfd_siginfo>.size) > 0 {
    if Int32(signal.ssi_signo) != SIGHUP { return .stop }
    request = .reload
  }
  return request
}

/// The signals that stop signetd, or have it begin anew.
private func stopSignals() -> sigset_t {
  var set = sigset_t()
  _ = unsafe sigemptyset(&set)
  for signal in [SIGTERM, SIGINT, SIGHUP] { _ = unsafe sigaddset(&set, signal) }
  return set
}

/// Blocks the signals that `Server.run` waits for, in this thread and those that it starts.
func blockStopSignals() {
  var set = stopSignals()
  _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
}
