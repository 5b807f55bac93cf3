import CLibc

/// The owner's vault, as far as this process is concerned: what it has of ours, and whether it is open. Nothing is shown or asked.
final class Vault {
  private let socket: String
  private var context: ContextConnection
  /// On which signetd tells whether the vault is open; see `OpeningRow`.
  private var watch = Connection()
  private var packet: SecretBytes
  /// As signetd said last. Never true where it says nothing.
  private(set) var isOpen = false
  /// When a signetd that does not answer is asked again.
  private var nextTry: Int64 = 0
  private var catalog: Catalog?
  private var listed: Int64 = 0

  /// How long signetd may say nothing, and how long it is left alone then, in milliseconds.
  private static let silence: Int64 = 3_000
  private static let pause: Int64 = 1_000
  /// For how long a listing is new: only this process stores what it lists, and the owner may delete.
  private static let freshness: Int64 = 500

  init(socket: String) throws(ContextError) {
    self.socket = socket
    guard let packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
    self.packet = packet
    context = try ContextConnection(path: socket, name: "signet-secrets")
  }

  // MARK: Whether it is open

  /// For poll(2); -1 where signetd is not there.
  var descriptor: Int32 { watch.descriptor }

  /// Takes what signetd has said; whether the vault is opened or closed since the last look.
  ///
  /// - Parameter connects: whether a signetd that is gone is asked anew, which starts it: for whoever calls, and not by itself.
  func look(connects: Bool) -> Bool {
    let before = isOpen
    if watch.descriptor >= 0 { hear(until: 0) }
    if watch.descriptor < 0, connects { begin() }
    return isOpen != before
  }

  private func begin() {
    isOpen = false
    guard Clock.milliseconds() >= nextTry else { return }
    defer { nextTry = watch.descriptor < 0 ? Clock.milliseconds() + Vault.pause : 0 }
    do throws(FormatError) { try WatchVaultRequest().write(into: &packet) } catch { return }
    do throws(ClientError) {
      watch = try Connection(path: socket, waiting: 50)
      try watch.send(packet)
    } catch {
      watch = Connection()
      return
    }
    hear(until: Clock.milliseconds() + Vault.silence)
  }

  /// Takes all that is there; waits for a first word until a moment, where that is not 0.
  private func hear(until moment: Int64) {
    var awaitsWord = moment > 0
    while true {
      var ready = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
      let rest = awaitsWord ? max(0, moment - Clock.milliseconds()) : 0
      let count = poll(&ready, 1, Int32(clamping: rest))
      if count < 0, clinux_errno() == EINTR { continue }
      guard count > 0 else { break }
      do throws(ClientError) { guard try watch.receive(into: &packet) else { continue } } catch { return lose() }
      switch packet.announced {
      case .heartbeat: continue
      case .row:
        do throws(FormatError) { isOpen = try OpeningRow(parsing: packet.span).opening != 0 } catch { return lose() }
        awaitsWord = false
      default: return lose()
      }
    }
    if awaitsWord { lose() }
  }

  private func lose() {
    watch = Connection()
    isOpen = false
  }

  /// Has it said anew at the next look.
  func forgetOpening() {
    lose()
    nextTry = 0
  }

  // MARK: What is in it

  func contents() throws(CallError) -> Catalog {
    let now = Clock.milliseconds()
    if let catalog, now - listed < Vault.freshness { return catalog }
    do throws(ContextError) {
      let fresh = Catalog(of: try context.list())
      (catalog, listed) = (fresh, now)
      return fresh
    } catch { throw CallError(error) }
  }

  func read(_ name: ItemName) throws(CallError) -> SecretBytes {
    var host = SilentHost()
    do throws(ContextError) { return try context.read(name, mayInteract: false, &host) } catch { throw CallError(error) }
  }

  /// Stores a new item, or one in the place of another that is there: the older one stays until the newer is on the disk.
  func store(_ item: Item, _ value: borrowing SecretBytes, isNew: Bool) throws(CallError) {
    guard item.isValid else { throw .tooLong("A label has at most 1,024 bytes.") }
    catalog = nil
    var host = SilentHost()
    do throws(ContextError) {
      if isNew { try context.add(item, value.span, &host) } else { try context.update(item, value.span, &host) }
    } catch { throw CallError(error) }
  }

  func delete(_ name: ItemName) throws(CallError) {
    catalog = nil
    var host = SilentHost()
    do throws(ContextError) { try context.delete(name, &host) } catch { throw CallError(error) }
  }
}
