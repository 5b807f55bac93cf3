import SignetVocabulary
import Testing

@Suite struct TokenBucketTests {
  @Test func `so much passes at once, and then one after each period`() {
    var bucket = TokenBucket(burst: 3, period: 10, at: 100)
    #expect((0..<4).map { _ in bucket.take(at: 100) } == [true, true, true, false])
    #expect(bucket.wait(at: 100) == 10 && bucket.wait(at: 104) == 6)
    #expect((109...111).map { bucket.take(at: $0) } == [false, true, false])
  }

  @Test func `rest makes it full again, and no more than full`() {
    var bucket = TokenBucket(burst: 2, period: 10, at: 0)
    _ = bucket.take(at: 0)
    #expect(!bucket.isFull(at: 9) && bucket.isFull(at: 10))
    #expect((0..<3).map { _ in bucket.take(at: 1_000) } == [true, true, false])
  }

  @Test func `what is forfeited takes its time to come back`() {
    var bucket = TokenBucket(burst: 4, period: 5_000, at: 0)
    bucket.forfeit(at: 0)
    #expect(bucket.wait(at: 0) == 5_000)
    #expect(!bucket.take(at: 4_999) && bucket.take(at: 5_000))
  }
}
