import Foundation
import SignetVocabulary
import Testing

@testable import DaemonAudit
@testable import SignetDaemon

/// signetd(8) lists the identifiers that the journal gets.
@Suite struct CatalogueTests {
  private static let entries: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try! String(contentsOf: root.appending(path: "Sources/signetd/signetd/signetd.8"), encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix(".It Li ") }.map(String.init)
  }()

  @Test func `every kind of event is listed with its identifier, and nothing else is`() {
    #expect(
      CatalogueTests.entries == Event.Kind.allCases.map { ".It Li \(EventEntry($0).identifier) Pq \($0)" })
  }
}
