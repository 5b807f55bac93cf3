import Synchronization

/// What a listener takes, as a value behind a lock: one page, one cookie, one answer.
final class LoopbackExchange: Sendable {
  static let answerPath = "/callback"
  private static let cookieName = "signet-sign-in"

  private struct Progress {
    var authority = ""
    var target = ""
    var startPath: String?
    var cookie: String?
    var accept: (@Sendable ([String: String]) -> Bool)?
    var result: Result<[String: String], CancellationError>?
    var waiting: CheckedContinuation<[String: String], any Error>?
  }

  private let progress = Mutex(Progress())

  /// - Returns: the path of the first page, which is given out once.
  func begin(authority: String, target: String, accept: @escaping @Sendable ([String: String]) -> Bool) -> String {
    let path = "/" + RandomText.make()
    progress.withLock { progress in
      progress.authority = authority
      progress.target = target
      progress.startPath = path
      progress.accept = accept
    }
    return path
  }

  /// Answers one request.
  func reply(to request: LoopbackRequest) -> LoopbackListener.Reply {
    let (reply, waiting) = progress.withLock { progress in
      // A page elsewhere whose name was made to mean this machine has another `Host`.
      guard request.method == "GET", request.authority == progress.authority, progress.result == nil else {
        return (LoopbackListener.Reply.refused, nil as CheckedContinuation<[String: String], any Error>?)
      }
      return self.reply(request.target, request.cookies, &progress)
    }
    if let waiting, let result = progress.withLock({ $0.result }) { waiting.resume(with: result.mapError { $0 as any Error }) }
    return reply
  }

  private func reply(
    _ target: String, _ cookies: String, _ progress: inout Progress
  ) -> (LoopbackListener.Reply, CheckedContinuation<[String: String], any Error>?) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if let start = progress.startPath, AuthorizationRequest.isSame(target, start) {
      let cookie = RandomText.make()
      progress.startPath = nil
      progress.cookie = cookie
      // Other servers of this address are other ports, which cookies do not tell apart: it goes to one path.
      let field = "\(LoopbackExchange.cookieName)=\(cookie); Path=\(LoopbackExchange.answerPath); HttpOnly; SameSite=Lax"
      return (.redirect(to: progress.target, cookie: field), nil)
    }
    guard parts.count == 2, parts[0] == LoopbackExchange.answerPath, let cookie = progress.cookie,
      LoopbackExchange.has(cookie, in: cookies), let fields = FormEncoding.decode(parts[1]), progress.accept?(fields) == true
    else { return (.refused, nil) }
    progress.result = .success(fields)
    defer { progress.waiting = nil }
    return (.done, progress.waiting)
  }

  private static func has(_ cookie: String, in header: String) -> Bool {
    let prefix = cookieName + "="
    return header.split(separator: ";").contains { part in
      let pair = part.drop { $0 == " " }
      return pair.hasPrefix(prefix) && AuthorizationRequest.isSame(String(pair.dropFirst(prefix.count)), cookie)
    }
  }

  /// Takes an answer that came another way.
  func take(_ fields: [String: String]) {
    let waiting = progress.withLock { progress -> CheckedContinuation<[String: String], any Error>? in
      guard progress.result == nil else { return nil }
      progress.result = .success(fields)
      defer { progress.waiting = nil }
      return progress.waiting
    }
    waiting?.resume(returning: fields)
  }

  func answer() async throws -> [String: String] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = progress.withLock { progress in
          if progress.result == nil { progress.waiting = continuation }
          return progress.result
        }
        if let result { continuation.resume(with: result.mapError { $0 as any Error }) }
      }
    } onCancel: {
      let waiting = progress.withLock { progress in
        if progress.result == nil { progress.result = .failure(CancellationError()) }
        defer { progress.waiting = nil }
        return progress.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
