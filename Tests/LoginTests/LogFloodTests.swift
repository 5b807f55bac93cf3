import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Who would fill the log of the real signetd until what matters falls out of it.
@Suite(.serialized) struct LogFloodTests {
  @Test func `evaluations without end that may ask nothing are a share of lines and a sum, and a miss is always logged`() throws {
    // Without `setpriv` or the like the test is root's, which has the system's share.
    let share = geteuid() == 0 ? 1_024 : 64
    let scene = try Scene()
    let client = try scene.daemon.connect()
    try client.openContext()
    for _ in 0..<(share + 150) {
      #expect(try client.evaluate(.deviceOwnerAuthentication, mayInteract: false).end == EvaluatedReply(.notInteractive))
    }
    try scene.attempt("wrong")
    let log = try scene.daemon.awaitLog("not recognised")
    #expect(log.ranges(of: "ended without evidence verdict=notInteractive").count == share)
    for count in [1, 10, 100] {
      #expect(log.contains("more log entries of this kind, not written entry=\"ended without evidence\" count=\(count) from="))
    }
  }
}
