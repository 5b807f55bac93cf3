import Glibc
import SignetFiles
import Synchronization

/// What was read from a vault's files and is still in them: for readers that come often, because opening, checking and parsing
/// a file takes longer than to ask whether it is still the same. No secret is in it: neither a key, nor a value, nor the
/// identity of the fingers. Items' files stay sealed.
///
/// A file counts as the same while its `FileStamp` is. All who write to a vault must share its cache. Safe from any thread.
public final class VaultCache: Sendable {
  struct Kept<Value: Sendable>: Sendable {
    let stamp: FileStamp
    let value: Value
  }

  struct State: Sendable {
    var epoch: Kept<Epoch>?
    var index: Kept<ItemIndex>?
    var set: Kept<FingerSet.Summary>?
    var items: [ItemIndex.Entry: Kept<ItemFile>] = [:]
    /// Of the items' files, in bytes.
    var size = 0
    /// Counts what was written.
    var changes: UInt64 = 0
  }

  /// Bytes of items' files that are kept. When there would be more, all of them go.
  static let limit = 1 << 20
  /// A file that was changed in the last so many milliseconds is not kept: it could be changed again within the same tick of the
  /// file system's clock, which its stamp would not show.
  private let youth: Int64
  private let state = Mutex(State())

  public convenience init() { self.init(youth: 50) }

  init(youth: Int64) { self.youth = youth }

  /// To be taken before a file is read.
  var changes: UInt64 { state.withLock { $0.changes } }

  func value<Value: Sendable>(_ slot: KeyPath<State, Kept<Value>?> & Sendable, _ stamp: FileStamp) -> Value? {
    state.withLock { state in
      guard let kept = state[keyPath: slot], kept.stamp == stamp else { return nil }
      return kept.value
    }
  }

  func item(_ entry: ItemIndex.Entry, _ stamp: FileStamp) -> ItemFile? {
    state.withLock { state in
      guard let kept = state.items[entry], kept.stamp == stamp else { return nil }
      return kept.value
    }
  }

  /// Keeps what was read, unless something was written since `changes` was taken.
  func keep<Value: Sendable>(
    _ value: Value, _ stamp: FileStamp, in slot: WritableKeyPath<State, Kept<Value>?> & Sendable, _ changes: UInt64
  ) {
    guard isSettled(stamp) else { return }
    state.withLock { state in
      if state.changes == changes { state[keyPath: slot] = Kept(stamp: stamp, value: value) }
    }
  }

  func keep(_ file: ItemFile, _ stamp: FileStamp, _ changes: UInt64) {
    guard isSettled(stamp) else { return }
    state.withLock { state in
      guard state.changes == changes else { return }
      if state.size + stamp.size > VaultCache.limit { (state.items, state.size) = ([:], 0) }
      let old = state.items.updateValue(Kept(stamp: stamp, value: file), forKey: file.header.entry)
      state.size += stamp.size - (old?.stamp.size ?? 0)
    }
  }

  /// After each write.
  func forget() {
    state.withLock { state in
      let changes = state.changes + 1
      state = State()
      state.changes = changes
    }
  }

  private func isSettled(_ stamp: FileStamp) -> Bool {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    let age = (Int64(now.tv_sec) - stamp.changed.seconds) * 1000 + (Int64(now.tv_nsec) - stamp.changed.nanoseconds) / 1_000_000
    return age > youth
  }
}
