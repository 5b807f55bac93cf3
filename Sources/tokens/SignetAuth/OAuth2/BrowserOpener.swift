import SignetFiles

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
  private static let readingTime = Duration.seconds(60)

  private let environment: [String: String]?

  public init() { environment = nil }

  /// With other variables than this process has.
  init(environment: [String: String]) { self.environment = environment }

  public func open(_ url: String) async throws {
    guard let page = LeadingPage(to: url) else { throw OAuth2Error.noBrowser }
    defer { page.remove() }
    try await open(file: page.path)
    try await Task.sleep(for: DesktopBrowser.readingTime)
  }

  private func open(file: String) async throws {
    guard let process = BrowserProcess(["/usr/bin/env", "xdg-open", file], environment: environment),
      try await process.wait() == 0
    else { throw OAuth2Error.noBrowser }
  }
}
