import SignetTestKit
import Testing

@testable import SignetReader

@Suite struct LibraryLogTests {
  @Test(arguments: ForeignTextVector.all) func `a driver's words are harmless, and end no value`(vector: ForeignTextVector) {
    #expect(vector.expects(singleLine(vector.text)))
    #expect(!singleLine(vector.text + "\"").contains("\""))
    #expect(singleLine(String(repeating: "x", count: 500)).count == 400)
  }
}
