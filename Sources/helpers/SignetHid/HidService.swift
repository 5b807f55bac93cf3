import CBus
import CLinux
import CUHID

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBusProgram
#endif

/// Connections on one side, the device on the other, and logind, which says whose it is.
final class HidService {
  private let listener: Int32
  private let node: String
  private var seat = SeatOwner()
  private var places = Places()
  /// The device's descriptor. Closing it is the device's end.
  private var device: Int32 = -1
  private var report = [UInt8](repeating: 0, count: Int(cuhid_report_size))
  private var lastUse = milliseconds()

  private init(listener: Int32, node: String) {
    self.listener = listener
    self.node = node
  }

  // sd-bus calls back without a context of ours.
  nonisolated(unsafe) private static var only: HidService?

  static func run(_ arguments: BusArguments, listener: Int32) -> Int32 {
    let service = HidService(listener: listener, node: arguments.device ?? "")
    only = service
    var failure = cbus_connect(arguments.bus)
    if failure == 0 { failure = watchLogind() }
    guard failure == 0 else {
      log(.error, "no bus at \(arguments.bus): \(reason(failure))")
      return 1
    }
    return service.serve(idleExit: arguments.idleExit * 1_000)
  }

  // MARK: Logind

  private static func watchLogind() -> Int32 {
    var handlers = cbus_logind_handlers(
      activated: { path in HidService.only?.activated(String(cString: path)) },
      described: { question, session in
        HidService.only?.told { $0.described(question, SeatOwner.Session(session.pointee)) }
      },
      changed: { path, session in
        HidService.only?.told { $0.changed(String(cString: path), SeatOwner.Session(session.pointee)) }
      },
      locked: { path, isLocked in HidService.only?.told { $0.told(String(cString: path), toLock: isLocked) } },
      removed: { path in HidService.only?.told { $0.removed(String(cString: path)) } },
      vanished: { HidService.only?.told { $0.vanished() } })
    return cbus_watch_logind(&handlers)
  }

  private func activated(_ path: String) {
    var question: UInt32?
    told { question = $0.activated(path.isEmpty ? nil : path) }
    if let question { cbus_ask_session(path, question) }
  }

  /// Logind has said something: what follows from it is done before anything else is read.
  private func told(_ change: (inout SeatOwner) -> Void) {
    change(&seat)
    perform(places.belongs(to: seat.uid, at: milliseconds()))
  }

  // MARK: The loop

  private func serve(idleExit: Int64) -> Int32 {
    while true {
      guard cbus_process() else {
        log(.error, "the bus closed the connection")
        return 1
      }
      let now = milliseconds()
      perform(places.wake(at: now))
      if !places.connections.isEmpty { lastUse = now }
      let rest = lastUse + idleExit - now
      if rest <= 0 { return 0 }
      guard step(within: places.connections.isEmpty ? rest : places.pause(at: now) ?? -1, at: now) else {
        log(.error, "the bus closed the connection")
        return 1
      }
    }
  }

  /// Sleeps until somebody says something, and hears them: logind first. False where the bus is gone.
  private func step(within limit: Int64, at now: Int64) -> Bool {
    var pause = limit
    func sooner(_ time: Int64) { if time >= 0, pause < 0 || time < pause { pause = time } }
    var watched = [
      pollfd(fd: cbus_descriptor(), events: cbus_events(), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      pollfd(fd: device, events: Int16(POLLIN), revents: 0),
    ]
    for connection in places.connections {
      let rest = places.pause(of: connection, at: now)
      if rest > 0 { sooner(rest) }
      watched.append(pollfd(fd: connection, events: rest > 0 ? 0 : Int16(POLLIN), revents: 0))
    }
    sooner(Int64(cbus_timeout()))
    _ = poll(&watched, nfds_t(watched.count), Int32(clamping: pause))
    guard cbus_process() else { return false }
    if watched[2].revents != 0 { readDevice() }
    for entry in watched[3...] where entry.revents != 0 { readConnection(entry.fd) }
    if watched[1].revents != 0, let (connection, uid) = HidSocket.accept(listener) {
      lastUse = now
      perform(places.arrive(connection, of: uid, at: milliseconds()))
    }
    return true
  }

  // MARK: Reports

  private func readConnection(_ connection: Int32) {
    // What logind said may have ended it.
    guard places.has(connection) else { return }
    switch HidSocket.read(connection, into: &report) {
    case .nothing: break
    case .end: perform(places.leave(connection))
    case .report:
      if let actions = places.report(from: connection, at: milliseconds()) { return perform(actions) }
      if cuhid_send(device, report) != 0 { perform(places.leave(connection)) }
    }
  }

  /// As much as the kernel keeps.
  private func readDevice() {
    for _ in 0..<32 {
      guard let connection = places.served else { return }
      let event = cuhid_next(device, &report)
      if event == CUHID_NOTHING { return }
      if event == CUHID_GONE { return perform(places.leave(connection)) }
      let flood = places.news(at: milliseconds())
      if !flood.isEmpty {
        log(.warning, "a flood of reports: the device is taken away")
        return perform(flood)
      }
      if event == CUHID_REPORT, !HidSocket.write(connection, report) { return perform(places.leave(connection)) }
      if event == CUHID_CLOSED, !HidSocket.writeClosed(connection) { return perform(places.leave(connection)) }
    }
  }

  // MARK: The device

  private func perform(_ actions: [Places.Action]) {
    for action in actions {
      switch action {
      case .make(let connection): make(for: connection)
      case .unmake: unmake()
      case .end(let connection): close(connection)
      }
    }
  }

  private func make(for connection: Int32) {
    guard let uid = places.uid(of: connection) else { return }
    device = cuhid_open(node)
    if device >= 0, cuhid_create(device, uid) == 0 { return log(.info, "a device for uid \(uid)") }
    log(.error, "no device for uid \(uid): \(node): \(reason(clinux_errno()))")
    perform(places.leave(connection))
  }

  private func unmake() {
    guard device >= 0 else { return }
    close(device)
    device = -1
    log(.info, "the device is gone")
  }
}

extension SeatOwner.Session {
  init(_ session: cbus_session) {
    func flag(_ value: Int32) -> Bool? { value < 0 ? nil : value > 0 }
    self.init(
      uid: UInt32(exactly: session.uid), isAtSeat: flag(session.is_at_seat), isActive: flag(session.is_active),
      isLocked: flag(session.is_locked))
  }
}
