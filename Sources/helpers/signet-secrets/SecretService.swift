import CBus
import CLibc

/// The bus on one side, the vault on the other, for as long as somebody needs it.
final class SecretService {
  static let name: StaticString = "org.freedesktop.secrets"
  static let root = "/org/freedesktop/secrets"

  private static let clientLimit = 256
  static let sessionLimit = 16
  static let promptLimit = 16

  let socket: String
  let vault: Vault
  private(set) var clients: [Client] = []
  /// Of the last session or prompt.
  var lastNumber: UInt32 = 0
  /// Whether a program had everything locked, which the owner takes back. It is not kept on a disk, but this process stays for it.
  private var isHeldLocked = false
  /// The owner is being asked.
  private var opening: Opening?
  private var lastUse = Clock.milliseconds()

  private init(socket: String) throws(ContextError) {
    self.socket = socket
    vault = try Vault(socket: socket)
  }

  // sd-bus calls back without a context of ours.
  nonisolated(unsafe) private static var only: SecretService?

  static func run(_ arguments: BusArguments) -> Int32 {
    let service: SecretService
    do throws(ContextError) { service = try SecretService(socket: arguments.socket) } catch {
      log(.error, "there is no memory")
      return 1
    }
    only = service
    // All objects, so that one which is not there is refused in the interface's own words wherever it is.
    var failure = arguments.bus.withCString { address in
      cbus_start(
        address, "/", { message, _, _ in message.flatMap { SecretService.only?.answer($0) } ?? 0 },
        { name in SecretService.only?.left(String(cString: name)) })
    }
    if failure == 0 { failure = cbus_take_name(name.text) }
    if failure == EEXIST || failure == EALREADY {
      log(.warning, "another program has \(name) on this bus, and keeps it")
      return 1
    }
    guard failure == 0 else {
      log(.error, "no name on the bus at \(arguments.bus): \(strerror(failure).map { String(cString: $0) } ?? "")")
      return 1
    }
    return service.serve(idleExit: arguments.idleExit * 1_000)
  }

  private func serve(idleExit: Int64) -> Int32 {
    while true {
      guard cbus_process() else {
        log(.info, "the bus closed the connection")
        return 1
      }
      let rest = lastUse + idleExit - Clock.milliseconds()
      if isIdle, rest <= 0 {
        cbus_release_name()
        // What came at the last moment is still answered, and may need this process longer.
        guard cbus_process() else { return 1 }
        if isIdle {
          cbus_flush()
          return 0
        }
        guard cbus_take_name(SecretService.name.text) == 0 else { return 1 }
      }
      wait(within: isIdle ? Int32(clamping: max(0, rest)) : -1)
    }
  }

  private var isIdle: Bool {
    opening == nil && !isHeldLocked && clients.allSatisfy { $0.sessions.isEmpty && $0.prompts.isEmpty }
  }

  /// Sleeps until the bus, signetd or the owner says something.
  private func wait(within limit: Int32) {
    var watched = [
      pollfd(fd: cbus_descriptor(), events: cbus_events(), revents: 0),
      pollfd(fd: vault.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: opening?.watch ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let due = cbus_timeout()
    let pause = due < 0 ? limit : limit < 0 ? due : min(limit, due)
    guard poll(&watched, nfds_t(watched.count), pause) > 0 else { return }
    if watched[1].revents != 0 { lookAtVault(connects: false) }
    if watched[2].revents != 0 { endOpening(kills: false) }
  }

  // MARK: Who asks

  /// The sender, who is the owner: the bus of a session lets in nobody else, and neither does this.
  private func client(of message: OpaquePointer) throws(CallError) -> Client {
    guard let sender = sd_bus_message_get_sender(message) else { throw .notAllowed }
    let name = String(cString: sender)
    if let client = clients.first(where: { $0.name == name }) { return client }
    guard clients.count < SecretService.clientLimit else { throw .crowded }
    guard let watch = cbus_watch(sender) else { throw .notAllowed }
    let client = Client(name: name, watch: watch)
    var who = cbus_sender()
    guard cbus_sender(sender, &who), who.uid == getuid() else { throw .notAllowed }
    clients.append(client)
    return client
  }

  private func left(_ name: String) {
    guard let index = clients.firstIndex(where: { $0.name == name }) else { return }
    lastUse = Clock.milliseconds()
    // Not freed while its own watch tells of it: sd-bus keeps the slot that it is in.
    clients.remove(at: index)
    endOpeningForNobody()
  }

  private func answer(_ message: OpaquePointer) -> Int32 {
    guard sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
    lastUse = Clock.milliseconds()
    // It may have a secret in it.
    sd_bus_message_sensitive(message)
    do throws(CallError) {
      let client = try client(of: message)
      lookAtVault(connects: true)
      try serve(message, client)
    } catch {
      var reply = sd_bus_error(name: error.name.text, message: error.sentence.text, _need_free: 0)
      sd_bus_reply_method_error(message, &reply)
    }
    return 1
  }

  // MARK: What is locked

  var isLocked: Bool { isHeldLocked || !vault.isOpen }

  func checkUnlocked() throws(CallError) { guard !isLocked else { throw .isLocked } }

  private func lookAtVault(connects: Bool) {
    if vault.look(connects: connects), !isHeldLocked { tellLocked() }
  }

  func lock() {
    guard !isHeldLocked else { return }
    let before = isLocked
    isHeldLocked = true
    if !before { tellLocked() }
  }

  /// To everybody who listens: all collections are locked, or not, with what is in them, of which a client may have kept either.
  private func tellLocked() {
    guard let contents = try? vault.contents() else { return }
    for item in contents.items { tellChange(of: "Locked", Words.item, at: item.path, "b") { $0.put(flag: isLocked) } }
    for collection in contents.collections {
      tellChange(of: "Locked", Words.collection, at: collection.path, "b") { $0.put(flag: isLocked) }
      tell("CollectionChanged", of: Words.service, at: SecretService.root, about: collection.path)
    }
  }

  func tell(_ signal: StaticString, of interface: String, at path: String, about object: String) {
    let message = Outgoing(signal: signal, of: interface, at: path)
    message.put(path: object)
    message.send()
  }

  // MARK: Asking the owner

  func newPrompt(for purpose: PendingPrompt.Purpose, _ client: Client) throws(CallError) -> String {
    guard client.prompts.count < SecretService.promptLimit else { throw .crowded }
    lastNumber &+= 1
    let prompt = PendingPrompt(number: lastNumber, owner: client.name, purpose: purpose)
    client.prompts.append(prompt)
    return prompt.path
  }

  /// One question is enough for all who wait for the owner at that moment.
  func ask(for prompt: PendingPrompt, of client: Client) {
    prompt.isAsked = true
    if !isLocked { return complete(prompt, of: client, isDismissed: false) }
    if opening == nil { opening = Opening(socket: socket) }
    if opening == nil { complete(prompt, of: client, isDismissed: true) }
  }

  func dismiss(_ prompt: PendingPrompt, of client: Client) {
    complete(prompt, of: client, isDismissed: true)
    endOpeningForNobody()
  }

  /// Nobody waits for the owner any more.
  private func endOpeningForNobody() {
    guard opening != nil, !clients.contains(where: { $0.prompts.contains { $0.isAsked } }) else { return }
    endOpening(kills: true)
  }

  private func endOpening(kills: Bool) {
    guard let ended = opening else { return }
    opening = nil
    let isOwner = ended.end(kills: kills)
    if isOwner, !kills {
      let before = isLocked
      isHeldLocked = false
      vault.forgetOpening()
      _ = vault.look(connects: true)
      if before != isLocked { tellLocked() }
    }
    for client in clients {
      for prompt in client.prompts where prompt.isAsked { complete(prompt, of: client, isDismissed: !isOwner || isLocked) }
    }
    lastUse = Clock.milliseconds()
  }

  /// Does what the prompt is for, and tells its client.
  private func complete(_ prompt: PendingPrompt, of client: Client, isDismissed: Bool) {
    client.prompts.removeAll { $0 === prompt }
    var isDismissed = isDismissed
    var objects: [String] = []
    if !isDismissed {
      do throws(CallError) {
        switch prompt.purpose {
        case .unlock(let paths): objects = paths
        case .create(let label, let alias): objects = [try createCollection(label, alias)]
        case .delete(let path): try delete(path)
        }
      } catch {
        log(.warning, "what the owner was asked for failed: \(error.sentence)")
        isDismissed = true
      }
    }
    let signal = Outgoing(signal: "Completed", of: Words.prompt, at: prompt.path, to: client.name)
    signal.put(flag: isDismissed)
    switch prompt.purpose {
    case .unlock: signal.variant("ao") { signal.put(paths: objects) }
    case .create: signal.variant("o") { signal.put(path: objects.first ?? "/") }
    case .delete: signal.variant("s") { signal.put("") }
    }
    signal.send()
  }
}
