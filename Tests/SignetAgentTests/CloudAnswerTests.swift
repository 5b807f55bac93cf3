import SignetTestKit
import Testing

@testable import SignetAgent

/// What a cloud's token service answers, who may be anybody that the user named.
struct CloudAnswerTests {
  private static let answer = """
    <R xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Credentials><AccessKeyId>AKIA0123</AccessKeyId>
    <SecretAccessKey>ab+/=</SecretAccessKey><SessionToken>x.y_z-1</SessionToken><Expiration>2026-11-23T15:00:00Z</Expiration>
    </Credentials></R>
    """

  @Test func `the keys of a role are read`() throws {
    let keys = try #require(CloudAnswer(Array(CloudAnswerTests.answer.utf8))?.keys)
    #expect(keys.accessKeyID == "AKIA0123" && keys.secretAccessKey == "ab+/=")
    #expect(keys.sessionToken == "x.y_z-1" && keys.expiration == "2026-11-23T15:00:00Z")
  }

  @Test(arguments: [
    ("AKIA0123", "AKIA0123</AccessKeyId><AccessKeyId>OTHER"), ("ab+/=", "a&amp;b"), ("x.y_z-1", ""), ("x.y_z-1", "a b"),
    ("<Expiration>", "<Expiration a='b'>"), ("</SessionToken>", ""), ("AKIA0123", "<![CDATA[AKIA]]>"),
  ])
  func `what needs more than reading is no answer`(part: String, other: String) {
    #expect(CloudAnswer(Array(CloudAnswerTests.answer.replacing(part, with: other).utf8))?.keys == nil)
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func `keys are plain, whatever came`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      guard let keys = CloudAnswer(mutated(Array(CloudAnswerTests.answer.utf8), &random))?.keys else { continue }
      for text in [keys.accessKeyID, keys.secretAccessKey, keys.sessionToken, keys.expiration] {
        #expect(!text.isEmpty && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x3C })
      }
    }
  }
}
