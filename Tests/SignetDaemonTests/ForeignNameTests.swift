import DaemonProving
import SignetTestKit
import Testing

@testable import SignetDaemon

/// The names in a request, which another user is shown as who holds the reader.
@Suite struct ForeignNameTests {
  private func harmless(_ bytes: [UInt8]) -> String { EvaluationRequest.harmless(bytes.span) }

  @Test(arguments: ForeignTextVector.all) func `a service's name is kept in a harmless form`(vector: ForeignTextVector) {
    #expect(vector.expects(harmless(Array(vector.text.utf8))))
  }

  @Test func `whatever its bytes are, it does not grow`() {
    for bytes: [UInt8] in [[0xFF], [0xE2, 0x82], [UInt8](repeating: 0xF0, count: 100), Array("é".utf8) + [0xC3]] {
      #expect(harmless(bytes).utf8.count <= min(64, bytes.count) && !harmless(bytes).contains("\u{FFFD}"))
    }
    #expect(harmless([UInt8](repeating: 0x61, count: 63) + Array("é".utf8)).hasSuffix("a?"))
  }
}
