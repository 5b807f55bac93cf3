import CCurl
import Dispatch
import Synchronization

/// The requests of one client. One thread does them all, and is there while there are any, and a little longer for their connections.
final class Transfers: Sendable {
  fileprivate struct State {
    var isRunning = false
    var isOver = false
    /// What waits on the thread, where it runs.
    var multi: Multi?
    var new: [Transfer] = []
  }

  private let settings: TransferSettings
  private let state = Mutex(State())
  /// A thread of its own where it is needed, and none of those that Swift's tasks share.
  private let queue = DispatchQueue(label: "signet.SignetAuth.network")

  init(_ settings: TransferSettings) { self.settings = settings }

  /// Who cancels gets an end at once; libcurl lets go of it a moment later.
  func send(_ transfer: Transfer) async throws -> NetworkResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if transfer.wait(continuation) { begin(transfer) }
      }
    } onCancel: {
      transfer.end(.cancelled)
      state.withLock { $0.multi }?.wake()
    }
  }

  /// Closes the connections. There is no request any more, nor will there be one.
  func end() {
    let multi = state.withLock { state in
      state.isOver = true
      return state.multi
    }
    multi?.wake()
  }

  private func begin(_ transfer: Transfer) {
    let (isFirst, multi) = state.withLock { state in
      state.new.append(transfer)
      defer { state.isRunning = true }
      return (!state.isRunning, state.multi)
    }
    if isFirst { queue.async { self.run() } }
    multi?.wake()
  }

  // MARK: - on the thread

  private func run() {
    guard ccurl_load() != 0, let multi = Multi() else { return failAll("libcurl.so.4 cannot be used") }
    state.withLock { $0.multi = multi }
    var running: [EasyTransfer] = []
    // When the connections have been of no use for long enough.
    var end: ContinuousClock.Instant?
    while true {
      running.removeAll { easy in
        if easy.transfer.hasEnded { multi.remove(easy) }
        return easy.transfer.hasEnded
      }
      for transfer in state.withLock({ $0.takeNew() }) where !transfer.hasEnded {
        if let easy = EasyTransfer(transfer, settings), multi.add(easy) {
          running.append(easy)
        } else {
          transfer.end(.unreachable(host: transfer.request.endpoint.host, reason: "libcurl does not take the request"))
        }
      }
      guard multi.perform(running) else { return failAll("libcurl failed", running) }
      guard running.allSatisfy({ !$0.transfer.hasEnded }) else { continue }
      if !running.isEmpty {
        end = nil
        multi.wait(Int32.max)
        continue
      }
      let left = (end ?? .now + settings.limits.kept) - .now
      end = .now + left
      if left > .zero, state.withLock({ !$0.isOver }) {
        multi.wait(Int32(left.milliseconds))
      } else if state.withLock({ $0.rest() }) {
        return
      }
    }
  }

  private func failAll(_ reason: String, _ running: [EasyTransfer] = []) {
    let new = state.withLock { state in
      state.isRunning = false
      state.multi = nil
      return state.takeNew()
    }
    for transfer in new + running.map(\.transfer) {
      transfer.end(.unreachable(host: transfer.request.endpoint.host, reason: reason))
    }
  }
}

extension Transfers.State {
  fileprivate mutating func takeNew() -> [Transfer] {
    defer { new = [] }
    return new
  }

  /// Whether there is nothing to do: then the thread ends, and the next request begins another one.
  fileprivate mutating func rest() -> Bool {
    guard new.isEmpty else { return false }
    isRunning = false
    multi = nil
    return true
  }
}

/// libcurl's own hold of several transfers and of their connections. All of it is for one thread, but `wake`.
@safe private final class Multi: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  init?() {
    guard let handle = unsafe ccurl_multi_new() else { return nil }
    unsafe self.handle = handle
  }

  // Who has this object may call it: libcurl's object lives as long. That is the `unsafe` below.

  deinit { unsafe ccurl_multi_free(handle) }

  func add(_ easy: EasyTransfer) -> Bool { unsafe ccurl_add(handle, easy.handle) == CURLM_OK }
  func remove(_ easy: EasyTransfer) { unsafe ccurl_remove(handle, easy.handle) }
  func wait(_ milliseconds: Int32) { _ = unsafe ccurl_wait(handle, milliseconds) }
  func wake() { unsafe ccurl_wake(handle) }

  /// Does what can be done now, and tells those that ended by it.
  func perform(_ running: [EasyTransfer]) -> Bool {
    guard unsafe ccurl_perform(handle) == CURLM_OK else { return false }
    var code = CURLE_OK
    while let ended = unsafe ccurl_next_end(handle, &code) {
      for easy in running where unsafe easy.handle == ended { easy.end(code) }
    }
    return true
  }
}
