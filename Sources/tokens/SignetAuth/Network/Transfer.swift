import Synchronization

/// One request on its way, and what came of it so far. It ends once: who waits hears of the first end, also while libcurl has it still.
final class Transfer: Sendable {
  /// The most bytes of an answer's head.
  private static let headLimit = 80 << 10

  let request: NetworkRequest
  let deadline: ContinuousClock.Instant

  fileprivate struct Progress {
    var response = NetworkResponse(status: 0)
    var headSize = 0
    var isHeadComplete = false
    var result: Result<NetworkResponse, NetworkError>?
    var waiting: CheckedContinuation<NetworkResponse, any Error>?
  }

  private let progress = Mutex(Progress())

  init(_ request: NetworkRequest, until deadline: ContinuousClock.Instant) {
    self.request = request
    self.deadline = deadline
  }

  private var host: String { request.endpoint.host }

  /// Somebody waits; false where it has ended already.
  func wait(_ continuation: CheckedContinuation<NetworkResponse, any Error>) -> Bool {
    let result = progress.withLock { progress in
      if progress.result == nil { progress.waiting = continuation }
      return progress.result
    }
    guard let result else { return true }
    continuation.resume(with: result.mapError { $0 as any Error })
    return false
  }

  var hasEnded: Bool { progress.withLock { $0.result != nil } }

  /// Ends it with an error, or with the answer that came.
  func end(_ error: NetworkError?) {
    let (waiting, result) = progress.withLock { progress in
      if progress.result == nil { progress.result = error.map { .failure($0) } ?? .success(progress.response) }
      defer { progress.waiting = nil }
      return (progress.waiting, progress.result)
    }
    if let result { waiting?.resume(with: result.mapError { $0 as any Error }) }
  }

  // MARK: - what comes

  /// A line of a head, or of what stands behind a body. False where it is not taken; then it has ended.
  func take(line bytes: [UInt8]) -> Bool {
    let isTaken = progress.withLock { progress in
      guard progress.result == nil else { return false }
      progress.headSize += bytes.count
      return progress.isHeadComplete || (progress.headSize <= Transfer.headLimit && progress.take(line: bytes))
    }
    if !isTaken { end(.unreachable(host: host, reason: "it does not speak HTTP")) }
    return isTaken
  }

  /// A piece of the body. False where it is more than may come; then it has ended.
  func take(body bytes: [UInt8]) -> Bool {
    let isTaken = progress.withLock { progress in
      guard progress.result == nil, progress.response.body.count + bytes.count <= request.responseLimit else { return false }
      progress.response.body += bytes
      return true
    }
    if !isTaken { end(.tooLarge(host: host, limit: request.responseLimit)) }
    return isTaken
  }
}

extension Transfer.Progress {
  fileprivate mutating func take(line bytes: [UInt8]) -> Bool {
    let line = String(decoding: bytes, as: UTF8.self).trimmingLineEnd
    if line.hasPrefix("HTTP/") {
      guard let status = Transfer.status(line) else { return false }
      // An interim answer may have come before.
      response = NetworkResponse(status: status)
    } else if line.isEmpty {
      isHeadComplete = response.status >= 200
    } else {
      guard response.status > 0, let colon = line.firstIndex(of: ":"), colon > line.startIndex, line.first != " ",
        line.first != "\t"
      else { return false }
      let value = line[line.index(after: colon)...]
      response.headers.add(String(line[..<colon]), String(value.trimming { $0 == " " || $0 == "\t" }))
    }
    return true
  }
}

extension Transfer {
  /// Three digits, and nothing or a space behind them.
  fileprivate static func status(_ line: Substring) -> Int? {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].utf8.count == 3,
      let status = Int(parts[1]), (100...599).contains(status)
    else { return nil }
    return status
  }
}

extension StringProtocol {
  fileprivate var trimmingLineEnd: SubSequence { trimming { $0 == "\r\n" || $0 == "\n" || $0 == "\r" } }

  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> SubSequence {
    let rest = drop(while: isLeftOut)
    guard let last = rest.lastIndex(where: { !isLeftOut($0) }) else { return rest.prefix(0) }
    return rest[...last]
  }
}
