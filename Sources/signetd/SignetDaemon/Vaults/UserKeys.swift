import DaemonService
import SignetFiles
import SignetVault
import SignetVocabulary
import Synchronization

/// The open user keys, one for each uid. A key is only lent to a closure, so that after `erase` no copy of it is left.
package final class UserKeys: Sendable {
  private let entries = Mutex<[UInt32: Entry]>([:])
  private let store: DescriptorStore
  private let whenChanged: @Sendable (UInt32) -> Void

  /// One user's key. Its lock is held while the key is lent: an erasure waits until the borrower is done.
  private final class Entry: Sendable {
    let state = Mutex(State())
  }

  private struct State: ~Copyable {
    var key: UserKey?
    /// The descriptor of the key's memory, where that is secret memory.
    var descriptor: Descriptor?
    /// Whether a session of the user was open while the key was held. Then the key is erased when the last session ends.
    var isOfSession = false
    /// How many times an erasure was asked for, whether or not there was a key.
    var erasures: UInt64 = 0

    var raw: Int32? {
      switch descriptor {
      case .some(let descriptor): descriptor.raw
      case .none: nil
      }
    }

    /// Wipes and unmaps; false where there was nothing.
    mutating func erase() -> Bool {
      erasures += 1
      isOfSession = false
      descriptor = nil
      return key.take() != nil
    }

    mutating func hold(_ memory: consuming KeyMemory) {
      descriptor = memory.descriptor
      key = memory.key
    }
  }

  /// - Parameter whenChanged: called after a user's key came into memory or was erased.
  package init(store: DescriptorStore = DescriptorStore(), whenChanged: @escaping @Sendable (UInt32) -> Void = { _ in }) {
    self.store = store
    self.whenChanged = whenChanged
  }

  private func entry(_ uid: UInt32) -> Entry {
    entries.withLock { entries in
      if let entry = entries[uid] { return entry }
      let entry = Entry()
      entries[uid] = entry
      return entry
    }
  }

  private var all: [(uid: UInt32, entry: Entry)] { entries.withLock { $0.map { ($0.key, $0.value) } } }

  /// Remembers how often the key was erased until now. Take it before acting on the passcode's verdict: a key is held only if
  /// nothing erased it since.
  package struct Ticket: Sendable {
    fileprivate let erasures: UInt64
  }

  /// How often the user was locked or their vault closed until now, at least. It only grows.
  package func erasures(_ uid: UInt32) -> UInt64 { entry(uid).state.withLock { $0.erasures } }

  /// Which opening this is: another number after each closing; 0 while no key is held.
  ///
  /// - Parameter isOpening: whether a key is about to be held, which counts as one: a request waits for it.
  package func opening(_ uid: UInt32, isOpening: Bool) -> UInt64 {
    entry(uid).state.withLock { $0.key == nil && !isOpening ? 0 : $0.erasures &+ 1 }
  }

  package func ticket(_ uid: UInt32) -> Ticket { Ticket(erasures: entry(uid).state.withLock { $0.erasures }) }

  /// Holds a copy of a key, in the place of one that is held. False, and nothing is held, where one was erased since the
  /// ticket: a lock that came while scrypt ran stays a lock. False also where there is no memory.
  package func hold(_ key: borrowing UserKey, of uid: UInt32, _ ticket: Ticket, isOfSession: Bool) -> Bool {
    guard let memory = KeyMemory(copying: key, uid: uid) else { return false }
    return hold(memory, of: uid, isOfSession: isOfSession, ticket)
  }

  /// Takes back what systemd kept; false where that is no key of this user.
  package func adopt(_ passed: consuming Descriptor, of uid: UInt32) -> Bool {
    guard let memory = KeyMemory(passed: passed, uid: uid) else { return false }
    return hold(memory, of: uid, isOfSession: true, nil)
  }

  private func hold(_ memory: consuming KeyMemory, of uid: UInt32, isOfSession: Bool, _ ticket: Ticket?) -> Bool {
    var passed: KeyMemory? = memory
    defer { whenChanged(uid) }
    return entry(uid).state.withLock { state in
      // systemd kept two keys for this user. Only one can be the newest, and we cannot tell which: the second is refused.
      guard ticket.map({ $0.erasures == state.erasures }) ?? (state.key == nil), let memory = passed.take() else {
        return false
      }
      if ticket != nil, state.key != nil { store.remove(uid) }
      state.hold(memory)
      // Also what was passed to us: the signetd before this one had taken it back from systemd, which ignores what it still
      // keeps.
      if let descriptor = state.raw { store.put(descriptor, uid) }
      state.isOfSession = state.isOfSession || isOfSession
      return true
    }
  }

  /// Lends the key, or `nil` where it is not held.
  package func lend<Result: ~Copyable, Failure: Error>(
    _ uid: UInt32, _ body: (borrowing UserKey?) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try entry(uid).state.withLock { state throws(Failure) in
      try body(state.key)
    }
  }

  package func isHeld(_ uid: UInt32) -> Bool { entry(uid).state.withLock { $0.key != nil } }

  /// Whose key is held.
  package var held: [UInt32] { all.filter { $0.entry.state.withLock { $0.key != nil } }.map(\.uid) }

  /// Notes that a session of the user is open.
  package func joinSession(_ uid: UInt32) { entry(uid).state.withLock { $0.isOfSession = true } }

  /// Wipes a key and unmaps it; false where none was held.
  @discardableResult
  func erase(_ uid: UInt32) -> Bool {
    defer { whenChanged(uid) }
    return entry(uid).state.withLock { state in
      let wasHeld = state.erase()
      if wasHeld { store.remove(uid) }
      return wasHeld
    }
  }

  /// The memory of all keys, for the signetd that this process executes next. systemd gives its copies up: where that one
  /// does not start, no key is left anywhere.
  package func withdraw() -> [(uid: UInt32, descriptor: Int32)] {
    all.compactMap { uid, entry in
      entry.state.withLock { state in
        guard state.key != nil, let raw = state.raw else { return nil }
        store.remove(uid)
        return (uid, raw)
      }
    }
  }

  /// Wipes the key, and tells systemd to drop its copy even if none was held here.
  package func forget(_ uid: UInt32) {
    if !erase(uid) { store.remove(uid) }
  }

  package func eraseAll() { for (uid, _) in all { erase(uid) } }

  /// The users whose key has to be erased when their last session ends, including keys that are about to be held.
  package var ofSessions: [UInt32] { all.filter { $0.entry.state.withLock { $0.isOfSession } }.map(\.uid) }

  /// Whether a key is held: signetd does not end by itself then, because the key would be lost.
  package var isAnyHeld: Bool { !held.isEmpty }

  /// What keeps the keys from others on this machine.
  package var protection: KeyProtection { KeyMemory.isSecret ? store.isThere ? .secret : .unkept : .locked }
}
