import Foundation
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Readers that enroll otherwise than they announce, and fingers that they cannot recognise.
@Suite struct EnrollingReaderTests {
  /// libfprint's virtual reader announces five stages; it may need others, as readers do that decide on their own chip.
  @Test(arguments: [(3, [1, 2, 3, 5]), (7, [1, 2, 3, 4, 5, 5, 5])] as [(Int, [UInt8])])
  func `whatever number of stages a reader takes, the user sees as many as were announced`(
    taken: Int, shown: [UInt8]
  ) throws {
    let scene = try Scene(enrolls: false)
    var stages: [UInt8] = []
    let replies = try scene.enroll(.leftThumb, as: "left") { reply in
      if case .show(.touchReader, _, _) = reply { try scene.reader.command("SET_ENROLL_STAGES \(taken)") }
      guard case .enrollStage(let completed, let all, _) = reply else { return false }
      #expect(all == 5)
      stages.append(completed)
      if stages.count < taken { try scene.reader.scan("left") }
      return true
    }
    #expect(replies.last == .done, "\(replies)")
    #expect(stages == shown)
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    try login.awaitArmed()
    try scene.reader.scan("left")
    #expect(try login.next().isSuccess)
  }

  @Test func `a finger that the reader cannot recognise is refused, with advice, and nothing is kept`() throws {
    let scene = try Scene(.image, enrolls: false)
    let finger = SyntheticFinger(seed: 7, minutiae: 4)
    var touches = 0
    func touch() throws {
      touches += 1
      try scene.reader.present(finger.impression(touches))
    }
    let replies = try scene.enroll(.leftThumb, as: "left") { reply in
      switch reply {
      case .show(.touchReader, _, _): try touch()
      case .enrollStage(let completed, _, let retry):
        #expect(completed == 0 && retry == .tooShort)
        if touches < 5 { try touch() }
      default: return false
      }
      return true
    }
    guard case .refused(.readerFailed(_, .poorTemplate, _))? = replies.last else {
      Issue.record("\(replies)")
      return
    }
    let names = try? FileManager.default.contentsOfDirectory(atPath: scene.folder)
    #expect(names?.contains { $0.hasSuffix(".template") } != true)
  }
}
