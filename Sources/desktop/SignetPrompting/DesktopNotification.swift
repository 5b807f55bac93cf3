import CGio

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// One notification on the user's desktop (the specification of desktop notifications, 1.2), which changes as things go on. No
/// call waits for an answer: a server that is stuck must not keep the finger, or the caller, waiting. Lives as long as the
/// process.
final class DesktopNotification {
  enum Event: Equatable {
    /// Whether there is a server. False also when it goes away later.
    case available(Bool)
    case chosen(Card.Button)
    case dismissed
  }

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// How long the server may take to answer, in milliseconds; it may have to be started first.
  private static let limit: Int32 = 3_000

  private let tell: (Event) -> Void
  private var bus: OpaquePointer?
  /// The server's own name on this bus: signals of others are nobody's.
  private var server: String?
  private var capabilities: Set<String> = []
  /// Its number, while it is on the screen.
  private var number: guint32 = 0
  /// Whether a button of what is on the screen was chosen. Many servers close it then, and say so as if the user had.
  private var isChosen = false
  /// What it is to show next, while the server still has to answer about what it shows now.
  private var next: Card?
  private var isWaiting = false
  private var isWanted = false
  /// What the user did before the answer came that says to which notification.
  private var early: [Deed] = []
  /// To be called when it is taken from the screen, at the end.
  private var ending: (() -> Void)?

  /// What a signal says.
  private enum Deed {
    case chosen(Card.Button?, guint32)
    case closed(guint32, reason: guint32)
  }

  init(_ tell: @escaping (Event) -> Void) { self.tell = tell }

  // MARK: The server

  /// Looks for a server; `tell` hears of it later, but never within this call.
  func connect(to address: String?) {
    guard let address else {
      g_idle_add({ context in DesktopNotification.at(context).lose() }, context)
      return
    }
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    g_dbus_connection_new_for_address(
      address, flags, nil, nil,
      { _, result, context in
        let notification = DesktopNotification.at(context)
        guard let bus = g_dbus_connection_new_for_address_finish(result, nil) else { return _ = notification.lose() }
        notification.connected(bus)
      }, context)
  }

  private func connected(_ bus: OpaquePointer) {
    self.bus = bus
    cgio_on_closed(bus, { _, _, _, context in _ = DesktopNotification.at(context).lose() }, context)
    // The call starts a server that is only installed. Then the bus says who it is.
    call(DesktopNotification.name, "GetCapabilities", nil, "(as)") { notification, answer in
      notification.capabilities = Set(strings(in: answer))
      notification.findServer()
    }
  }

  private func findServer() {
    let words = g_variant_new_tuple([g_variant_new_string(DesktopNotification.name)], 1)
    call("org.freedesktop.DBus", "GetNameOwner", words, "(s)") { notification, answer in
      notification.found(text(of: answer))
    }
  }

  private func found(_ server: String) {
    guard let bus else { return }
    self.server = server
    g_dbus_connection_signal_subscribe(
      bus, server, DesktopNotification.name, nil, DesktopNotification.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, sender, _, _, name, parameters, context in
        guard let sender, let name, let parameters else { return }
        DesktopNotification.at(context).heard(String(cString: name), from: String(cString: sender), parameters)
      }, context, nil)
    g_bus_watch_name_on_connection(
      bus, server, G_BUS_NAME_WATCHER_FLAGS_NONE, nil,
      { _, _, context in _ = DesktopNotification.at(context).lose() }, context, nil)
    tell(.available(true))
  }

  /// There is no server, or none any more; 0, for GLib not to call again.
  private func lose() -> gboolean {
    guard !isLost else { return 0 }
    isLost = true
    (server, isWaiting) = (nil, false)
    tell(.available(false))
    finish()
    return 0
  }
  private var isLost = false

  // MARK: What is shown

  func show(_ card: Card) {
    isWanted = true
    next = card
    sendNext()
  }

  private func sendNext() {
    guard !isWaiting, let server, let card = next else { return }
    next = nil
    (isWaiting, isChosen) = (true, false)
    call(server, "Notify", parameters(of: card), "(u)") { notification, answer in
      notification.isWaiting = false
      notification.number = unsigned(0, of: answer) ?? 0
      for deed in notification.early { notification.take(deed) }
      notification.early = []
      if notification.isWanted { notification.sendNext() } else { notification.withdraw() }
    }
  }

  /// `susssasa{sv}i`
  private func parameters(of card: Card) -> OpaquePointer? {
    let actions = capabilities.contains("actions") ? card.actions : []
    var words = actions.map { g_variant_new_string($0) }
    let type = g_variant_type_new("s")
    let entryType = g_variant_type_new("{sv}")
    defer {
      g_variant_type_free(type)
      g_variant_type_free(entryType)
    }
    // It asks for something, and is of no use later: it stays until it is answered, and is not kept afterwards.
    var hints: [OpaquePointer?] = [
      hint("urgency", g_variant_new_byte(2)), hint("transient", g_variant_new_boolean(1)),
      hint("resident", g_variant_new_boolean(1)), hint("category", g_variant_new_string("device")),
    ]
    var all: [OpaquePointer?] = [
      g_variant_new_string("Signet"), g_variant_new_uint32(number), g_variant_new_string("auth-fingerprint"),
      g_variant_new_string(card.summary),
      g_variant_new_string(card.body(isMarkup: capabilities.contains("body-markup"))),
      g_variant_new_array(type, &words, gsize(words.count)), g_variant_new_array(entryType, &hints, gsize(hints.count)),
      g_variant_new_int32(0),
    ]
    return g_variant_new_tuple(&all, gsize(all.count))
  }

  private func hint(_ name: String, _ value: OpaquePointer?) -> OpaquePointer? {
    g_variant_new_dict_entry(g_variant_new_string(name), g_variant_new_variant(value))
  }

  /// Takes it from the screen.
  func withdraw() {
    isWanted = false
    next = nil
    guard !isWaiting else { return }
    if number != 0, let bus, let server {
      let words = g_variant_new_tuple([g_variant_new_uint32(number)], 1)
      number = 0
      g_dbus_connection_call(
        bus, server, DesktopNotification.path, DesktopNotification.name, "CloseNotification", words, nil,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, DesktopNotification.limit, nil, nil, nil)
    }
    if ending != nil { flush() }
  }

  /// Takes it from the screen and says when the bus has that, or the server has taken too long to say what there is to take away.
  func withdraw(then end: @escaping () -> Void) {
    guard server != nil else { return end() }
    ending = end
    g_timeout_add(
      200,
      { context in
        DesktopNotification.at(context).finish()
        return 0
      }, context)
    withdraw()
  }

  private func flush() {
    guard let bus else { return finish() }
    g_dbus_connection_flush(bus, nil, { _, _, context in DesktopNotification.at(context).finish() }, context)
  }

  private func finish() {
    ending?()
    ending = nil
  }

  // MARK: What the user does

  private func heard(_ name: String, from sender: String, _ parameters: OpaquePointer) {
    guard sender == server, g_variant_n_children(parameters) == 2 else { return }
    switch (name, String(cString: g_variant_get_type_string(parameters))) {
    case ("ActionInvoked", "(us)"):
      guard let number = unsigned(0, of: parameters) else { return }
      take(.chosen(Card.Button(rawValue: text(1, of: parameters)), number))
    case ("NotificationClosed", "(uu)"):
      guard let number = unsigned(0, of: parameters), let reason = unsigned(1, of: parameters) else { return }
      take(.closed(number, reason: reason))
    default: return
    }
  }

  private func take(_ deed: Deed) {
    guard !isWaiting else {
      if early.count < 16 { early.append(deed) }
      return
    }
    switch deed {
    case .chosen(let button?, let which) where which == number && number != 0:
      isChosen = true
      tell(.chosen(button))
    case .closed(let which, let reason) where which == number && number != 0:
      number = 0
      // 2: the user closed it. One that expired is shown anew with the next change.
      if !isChosen, reason == 2 { tell(.dismissed) }
    case .chosen, .closed: return
    }
  }

  // MARK: Calls

  /// Calls a method of the server, or of the bus; an error, or an answer of another type, means that there is no server.
  private func call(
    _ owner: String, _ method: String, _ words: OpaquePointer?, _ type: String,
    _ answered: @escaping (DesktopNotification, OpaquePointer) -> Void
  ) {
    guard let bus else { return }
    let isOfBus = owner == "org.freedesktop.DBus"
    let reply = g_variant_type_new(type)
    defer { g_variant_type_free(reply) }
    let pending = Unmanaged.passRetained(Pending(self, answered)).toOpaque()
    g_dbus_connection_call(
      bus, owner, isOfBus ? "/org/freedesktop/DBus" : DesktopNotification.path, isOfBus ? owner : DesktopNotification.name,
      method, words, reply, G_DBUS_CALL_FLAGS_NONE, DesktopNotification.limit, nil,
      { source, result, context in
        let pending = Unmanaged<Pending>.fromOpaque(context!).takeRetainedValue()
        guard let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, nil) else {
          return _ = pending.notification.lose()
        }
        defer { g_variant_unref(answer) }
        pending.answered(pending.notification, answer)
      }, pending)
  }

  private final class Pending {
    let notification: DesktopNotification
    let answered: (DesktopNotification, OpaquePointer) -> Void

    init(_ notification: DesktopNotification, _ answered: @escaping (DesktopNotification, OpaquePointer) -> Void) {
      self.notification = notification
      self.answered = answered
    }
  }

  private var context: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: gpointer?) -> DesktopNotification {
    Unmanaged<DesktopNotification>.fromOpaque(context!).takeUnretainedValue()
  }
}

/// The `u` at this place of a tuple.
private func unsigned(_ index: Int, of tuple: OpaquePointer) -> UInt32? {
  let child = g_variant_get_child_value(tuple, gsize(index))!
  defer { g_variant_unref(child) }
  return String(cString: g_variant_get_type_string(child)) == "u" ? g_variant_get_uint32(child) : nil
}

/// The `s` at this place of a tuple.
private func text(_ index: Int = 0, of tuple: OpaquePointer) -> String {
  let child = g_variant_get_child_value(tuple, gsize(index))!
  defer { g_variant_unref(child) }
  return String(cString: g_variant_get_string(child, nil))
}

/// The texts of an `(as)`.
private func strings(in answer: OpaquePointer) -> [String] {
  let array = g_variant_get_child_value(answer, 0)!
  defer { g_variant_unref(array) }
  return (0..<min(g_variant_n_children(array), 64)).map { text(Int($0), of: array) }
}
