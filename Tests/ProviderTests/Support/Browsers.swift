import Dispatch
import SignetAuthTestKit
import SignetTestKit
import Synchronization

@testable import SignetAuth
@testable import SignetTokenServices

/// Somebody with an account and a browser: Tests/Providers/browser.py.
struct Person: BrowserOpener {
  let rig: ProviderRig
  var name = "alice"
  /// `--deny`, say.
  var options: [String] = []

  func open(_ url: String) async throws { _ = try await browse([url]) }

  /// Signs in on another device.
  func approve(_ prompt: DevicePrompt) async throws { _ = try await browse(["--device", prompt.page, prompt.userCode]) }

  /// Where the provider's last redirect leads, which is not followed.
  func redirect(from url: String) async throws -> String {
    try await browse(["--stop-before-redirect", url]).split(separator: "\n").last.map(String.init) ?? ""
  }

  private func browse(_ words: [String]) async throws -> String {
    let command = [
      "/bin/sh", "-c", #"printf '%s\n%s\n' "$name" "$password" | "$@" 2>&1"#, "sh", try rig.fact("python"), "-B",
      "\(ProviderRig.folder)/browser.py", "--ca", try rig.authority,
    ]
    let environment = ["PATH=/usr/bin:/bin", "name=\(name)", "password=\(try rig.password(of: name))"]
    let whole = command + options + words
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try Program.output(whole, environment: environment) })
      }
    }
  }
}

/// A browser for providers that ask nobody anything: it follows redirects, and keeps the program's cookie.
final class RedirectFollower: BrowserOpener {
  private let network: HTTPNetworkClient
  private let patience: Patience
  private let state = Mutex((statuses: [Int](), visit: Task<Void, any Error>?.none))

  init(_ network: HTTPNetworkClient, _ patience: Patience) {
    self.network = network
    self.patience = patience
  }

  /// How the program's two pages were answered.
  var statuses: [Int] { state.withLock { $0.statuses } }

  /// Waits until the browser shows the last page.
  func finish() async throws { try await state.withLock { $0.visit }?.value }

  func open(_ url: String) async throws {
    // A browser goes on when nobody waits for it any more.
    let visit = Task { try await follow(url) }
    state.withLock { $0.visit = visit }
    try await visit.value
  }

  private func follow(_ url: String) async throws {
    let first = try await program(url, cookie: nil)
    let provider = try await network.send(NetworkRequest(try Endpoint(first.headers["Location"] ?? "")))
    let cookie = String((first.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
    let last = try await program(provider.headers["Location"] ?? "", cookie: cookie)
    if last.status != 200 { patience.end() }
  }

  private func program(_ url: String, cookie: String?) async throws -> NetworkResponse {
    var request = NetworkRequest(try Endpoint(url))
    request.headers["Cookie"] = cookie
    let response = try await network.send(request)
    state.withLock { $0.statuses.append(response.status) }
    return response
  }
}

/// A clock for who waits for a browser: it stands still until somebody ends the waiting.
final class Patience: Clock {
  typealias Instant = ContinuousClock.Instant

  private let state = Mutex((hasEnded: false, sleepers: [AsyncStream<Void>.Continuation]()))

  var now: Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func end() {
    let sleepers = state.withLock { state in
      state.hasEnded = true
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.finish() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (stream, sleeper) = AsyncStream.makeStream(of: Void.self)
    let hasEnded = state.withLock { state in
      state.sleepers.append(sleeper)
      return state.hasEnded
    }
    if hasEnded { sleeper.finish() }
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
