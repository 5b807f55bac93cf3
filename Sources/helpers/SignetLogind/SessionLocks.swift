import CGio

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// Listens to logind on the system bus, for as long as the process lives. A bus that is not there, or goes away, is tried
/// again; a logind that is not there is waited for.
final class SessionLocks {
  private let address: String
  private let daemon: LockOrder
  private let loop = g_main_loop_new(nil, 0)!
  private var backoff = Backoff()
  private var bus: OpaquePointer?
  private var subscription: guint = 0
  private var nameWatch: guint = 0
  /// Logind's own name on this bus, once it is known that a process we believe has the well-known one.
  private var logind: String?
  private var pending = PendingLocks()

  init(bus address: String, daemon: LockOrder) {
    self.address = address
    self.daemon = daemon
  }

  func run() -> Never {
    connect()
    while true { g_main_loop_run(loop) }
  }

  // MARK: The bus

  private func connect() {
    var error: UnsafeMutablePointer<GError>?
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    guard let bus = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
      return retry("no bus at \(address): \(message(taking: error))")
    }
    self.bus = bus
    backoff.reset()
    cgio_on_closed(bus, { _, _, _, context in SessionLocks.at(context).closed() }, context)
    subscribe(to: bus)
    nameWatch = g_bus_watch_name_on_connection(
      bus, Logind.name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, owner, context in SessionLocks.at(context).appeared(String(cString: owner!)) },
      { _, _, context in SessionLocks.at(context).vanished() }, context, nil)
  }

  /// To all signals of sessions; `Lock` and `Unlock` have a meaning here.
  private func subscribe(to bus: OpaquePointer) {
    subscription = g_dbus_connection_signal_subscribe(
      bus, Logind.name, Logind.session, nil, nil, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, sender, path, _, name, _, context in
        guard let sender, let path, let name else { return }
        let (who, session) = (String(cString: sender), String(cString: path))
        switch String(cString: name) {
        case "Lock": SessionLocks.at(context).locked(by: who, session)
        case "Unlock": SessionLocks.at(context).unlocked(by: who, session)
        default: break
        }
      }, context, nil)
  }

  private func closed() {
    guard let bus else { return }
    g_bus_unwatch_name(nameWatch)
    g_dbus_connection_signal_unsubscribe(bus, subscription)
    g_object_unref(UnsafeMutableRawPointer(bus))
    self.bus = nil
    logind = nil
    retry("the bus closed the connection")
  }

  private func retry(_ reason: String) {
    let seconds = backoff.next()
    log(.warning, "\(reason); trying again in \(seconds) s")
    g_timeout_add_seconds(
      seconds,
      { context in
        SessionLocks.at(context).connect()
        return 0
      }, context)
  }

  // MARK: Logind

  private func appeared(_ owner: String) {
    guard let bus else { return }
    // The bus lets nobody but root have the name. Our own processes could trace us anyway; it makes tests without root
    // possible.
    guard let uid = Bus.uid(of: owner, on: bus), uid == 0 || uid == geteuid() else {
      logind = nil
      return log(.error, "\(owner) has logind's name and is not root: not believed")
    }
    logind = owner
    log(.info, "listening to logind")
  }

  private func vanished() {
    logind = nil
    if bus != nil { log(.notice, "logind is not there; waiting for it") }
  }

  /// A session is locked, says who sent this: to this process alone, perhaps, and in anybody's name.
  private func locked(by sender: String, _ path: String) {
    guard let bus, let logind, sender == logind else { return log(.warning, "\(sender) is not logind: a lock is ignored") }
    guard let uid = Logind.user(of: path, on: bus, logind) else { return }
    guard let entry = getpwuid(uid) else { return log(.error, "uid \(uid) of \(path) has no name: not locked") }
    order(PendingLocks.Lock(session: path, user: String(cString: entry.pointee.pw_name)))
  }

  /// A session is open again. Whoever opened it has proved who they are; a lock that signetd has not heard of would be late.
  private func unlocked(by sender: String, _ path: String) {
    guard let logind, sender == logind else { return log(.warning, "\(sender) is not logind: an unlock is ignored") }
    pending.forget(path)
  }

  // MARK: signetd

  /// Has a user locked. A signetd that cannot be reached, or has no place left, is tried again until it has done it.
  private func order(_ lock: PendingLocks.Lock) {
    switch daemon.send(user: lock.user) {
    case .done:
      pending.forget(lock.session)
      log(.notice, "the passcode of \(lock.user) is required from now on")
    case .refused(let reason):
      pending.forget(lock.session)
      log(.error, "\(lock.user) is not locked: \(reason)")
    case .undecided(let reason):
      let pause = pending.keep(lock)
      log(.error, "\(lock.user) is not locked: \(reason)" + (pause.map { "; trying again in \($0) s" } ?? ""))
      if let pause { orderAgain(in: pause) }
    }
  }

  private func orderAgain(in seconds: UInt32) {
    g_timeout_add_seconds(
      seconds,
      { context in
        let locks = SessionLocks.at(context)
        for lock in locks.pending.due() { locks.order(lock) }
        return 0
      }, context)
  }

  /// This object as a C callback's context. It lives as long as the process.
  private var context: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: gpointer?) -> SessionLocks {
    Unmanaged<SessionLocks>.fromOpaque(context!).takeUnretainedValue()
  }
}
