import Foundation
import SignetFiles
import Synchronization

/// Shows a page to the owner.
public protocol BrowserOpener: Sendable {
  /// Opens a page; returns when that is done, or does not end while the browser runs.
  ///
  /// - Throws: where there is no browser.
  func open(_ url: String) async throws
}

/// The desktop's browser, by `xdg-open`. The URL leads to this program, is of use once, and is not for the list of processes.
public struct DesktopBrowser: BrowserOpener {
  /// How long a browser may take to begin, and to read the page that it was opened with.
  private static let patience = Duration.seconds(60)

  private let environment: [String: String]?

  public init() { environment = nil }

  /// With other variables than this process has.
  init(environment: [String: String]) { self.environment = environment }

  public func open(_ url: String) async throws {
    guard let page = LeadingPage(to: url) else { throw OAuth2Error.noBrowser }
    defer { page.remove() }
    try await open(file: page.path)
    try await Task.sleep(for: DesktopBrowser.patience)
  }

  private func open(file: String) async throws {
    let end = ProcessEnd()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", file]
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { end.set($0.terminationStatus) }
    try process.run()
    guard try await end.wait() == 0 else { throw OAuth2Error.noBrowser }
  }
}

/// How a process ended. Who gives up waiting leaves the process, which may be the browser itself.
private final class ProcessEnd: Sendable {
  private let standing = Mutex<(status: Int32?, isCancelled: Bool, waiting: CheckedContinuation<Int32, any Error>?)>(
    (nil, false, nil))

  func set(_ status: Int32) {
    let waiting = standing.withLock { standing in
      standing.status = status
      defer { standing.waiting = nil }
      return standing.waiting
    }
    waiting?.resume(returning: status)
  }

  func wait() async throws -> Int32 {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (status, isCancelled) = standing.withLock { standing in
          if standing.status == nil, !standing.isCancelled { standing.waiting = continuation }
          return (standing.status, standing.isCancelled)
        }
        if let status {
          continuation.resume(returning: status)
        } else if isCancelled {
          continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      let waiting = standing.withLock { standing in
        standing.isCancelled = true
        defer { standing.waiting = nil }
        return standing.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
