import DaemonConnections
import SignetAuthentication

/// A number of slots, shared out by source: a source with few goes before one with many.
struct ConnectionLimiter {
  typealias Source = RequestOrigin.Source

  struct Limits {
    /// Of one user, and of all whose user is not known.
    var user: Int
    /// Of the system's services together.
    var services: Int
    var all: Int
  }

  enum Way: Equatable {
    case free
    /// Somebody has to go for it.
    case displacing(UInt64)
  }

  private struct Connection {
    let number: UInt64
    let source: Source
  }

  /// How long a context may ask nothing and keep its place while others need one, in milliseconds: the next request of most programs
  /// follows at once. One that holds what its user has proved may for longer, because the user would be asked again.
  private static let idleLimit: Int64 = 1_000
  private static let holdingLimit: Int64 = 10_000

  private let limits: Limits
  /// In the order in which they came.
  private var connections: [Connection] = []

  init(_ limits: Limits) { self.limits = limits }

  var isEmpty: Bool { connections.isEmpty }

  /// Takes a place, if need be somebody else's; `nil` where none is due to the source. `use`: what a guest does with theirs, at this
  /// moment on the boot clock.
  mutating func enter(_ number: UInt64, from source: Source, at now: Int64, _ use: (UInt64) -> ConnectionSlot.Use) -> Way? {
    let counts = connections.reduce(into: [Source: Int]()) { $0[$1.source, default: 0] += 1 }
    let own = counts[source, default: 0]
    let isFull = own >= (source == .service ? limits.services : limits.user)
    if !isFull, connections.count < limits.all {
      connections.append(Connection(number: number, source: source))
      return .free
    }
    // A context that asks nothing can go: its program opens another when it has something to ask.
    let idle = resting(at: now, use) { isFull ? $0 == source : $0 == source || $0 != .service }
    let other = idle ?? (isFull ? nil : displaced(by: source, having: own, counts) { use($0) == .typing })
    guard let other else { return nil }
    leave(other)
    connections.append(Connection(number: number, source: source))
    return .displacing(other)
  }

  /// The context of certain sources that can be done without best: the one that has asked nothing for longest, of those that hold
  /// nothing, or else of the others.
  private func resting(at now: Int64, _ use: (UInt64) -> ConnectionSlot.Use, of isMeant: (Source) -> Bool) -> UInt64? {
    var idle: (since: Int64, number: UInt64)?
    var holding: (since: Int64, number: UInt64)?
    for connection in connections where isMeant(connection.source) {
      switch use(connection.number) {
      case .idle(let since) where now - since >= ConnectionLimiter.idleLimit && since < idle?.since ?? .max:
        idle = (since, connection.number)
      case .holding(let since) where now - since >= ConnectionLimiter.holdingLimit && since < holding?.since ?? .max:
        holding = (since, connection.number)
      case .idle, .holding, .busy, .typing, .watching: continue
      }
    }
    return (idle ?? holding)?.number
  }

  mutating func leave(_ number: UInt64) { connections.removeAll { $0.number == number } }

  private func displaced(
    by source: Source, having own: Int, _ counts: [Source: Int], _ waitsForTyping: (UInt64) -> Bool
  ) -> UInt64? {
    let most = counts.filter { $0.key != .service && $0.key != source }.values.max() ?? 0
    // Who has none always gets one. Beyond that the other must not have fewer than this one afterwards, or the two would displace
    // each other for ever.
    guard source == .service || own == 0 || own + 1 < most else { return nil }
    let candidates = connections.filter { $0.source != .service && $0.source != source && counts[$0.source] == most }
    return (candidates.first { waitsForTyping($0.number) } ?? candidates.first)?.number
  }
}
