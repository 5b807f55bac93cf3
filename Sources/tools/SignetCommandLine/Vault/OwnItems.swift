import SignetContexts
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

/// The user's own items, several on one connection: what was proved for one counts for the next, so that one touch is enough.
struct OwnItems: ~Copyable {
  private var context: ContextConnection
  private var host: DefaultPrompter
  private let socket: String

  /// `reason`: what the items are wanted for, shown before anything is asked.
  init(at socket: String, reason: String) throws(CommandFailure) {
    self.socket = socket
    host = DefaultPrompter(Prompting(application: "signet", reason: reason))
    do throws(ContextError) { context = try ContextConnection(path: socket, name: "signet") } catch {
      throw CommandFailure(.refused, ObstacleText.noMemory)
    }
  }

  mutating func read(_ name: ItemName) throws(CommandFailure) -> SecretBytes {
    do throws(ContextError) { return try context.read(name, &host) } catch { throw failure(error) }
  }

  mutating func add(_ item: Item, _ value: borrowing SecretBytes) throws(CommandFailure) {
    do throws(ContextError) { try context.add(item, value.span, &host) } catch { throw failure(error) }
  }

  mutating func update(_ item: Item, _ value: borrowing SecretBytes) throws(CommandFailure) {
    do throws(ContextError) { try context.update(item, value.span, &host) } catch { throw failure(error) }
  }

  /// Makes a key, without attributes. Returns its public point: 4, x and y.
  mutating func makeKey(_ key: Item) throws(CommandFailure) -> [UInt8] {
    do throws(ContextError) { return try context.makeKey(key, &host) } catch { throw failure(error) }
  }

  /// The signature of a digest, r and s, by the key of this name.
  mutating func sign(_ digest: [UInt8], with name: ItemName) throws(CommandFailure) -> [UInt8] {
    do throws(ContextError) { return try context.sign(digest, with: name, &host) } catch { throw failure(error) }
  }

  private func failure(_ error: ContextError) -> CommandFailure {
    switch error {
    case .client(let error): return CommandFailure(error, socket: socket)
    // What belongs to a refusal is in its packet only.
    case .refused, .unusable:
      if case .refused(let refusal)? = try? AdministrationReply(parsing: context.packet.span) { return CommandFailure(refusal) }
      return .unexpectedReply
    case .cancelled: return CommandFailure(.refused, ObstacleText.cancelled)
    case .notInteractive: return CommandFailure(.refused, ObstacleText.noTerminalForPasscode)
    case .invalidated, .inUse: return .unexpectedReply
    case .noMemory: return CommandFailure(.refused, ObstacleText.noMemory)
    }
  }
}
