import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Signet behind the window of a desktop's agent: the real polkitd, its helper, libpolkit-agent's session, signetd and a virtual reader.
/// Only the window is missing.
@Suite(
  .enabled(if: geteuid() == 0, "needs root, for a bus of its own"),
  .enabled(if: PolkitDesk.isComplete, "needs polkitd and an agent's session (Debian: polkitd, gir1.2-polkit-1.0)"))
struct PolkitDialogTests {
  private static let question = "request Swipe your finger or enter your passcode:"

  @Test func `a finger ends the dialog, and what was asked for is allowed`() throws {
    let desk = try begin()
    try desk.scene.reader.scan("right")
    try desk.ends(allowed: true)
  }

  @Test func `the passcode does, too`() throws {
    let desk = try begin()
    try desk.agent.say("answer \(RunningDaemon.passcode)")
    try desk.ends(allowed: true)
  }

  @Test func `a miss is shown in the dialog, and the finger may come again`() throws {
    let desk = try begin()
    try desk.scene.reader.scan("wrong")
    try desk.agent.line(with: "error Fingerprint not recognised, 2 attempts left")
    try desk.scene.reader.scan("right")
    try desk.ends(allowed: true)
  }

  @Test func `a wrong passcode is refused, and no finger counts after it`() throws {
    let desk = try begin()
    try desk.agent.say("answer wrong")
    try desk.agent.line(with: "pam_authenticate failed: Authentication failure")
    try desk.ends(allowed: false)
  }

  @Test func `after three misses the question that stands takes the passcode`() throws {
    let desk = try begin()
    for told in ["2 attempts left", "1 attempt left", "No fingerprint attempts left"] {
      try desk.scene.reader.scan("wrong")
      try desk.agent.line(with: told)
    }
    try desk.agent.say("answer \(RunningDaemon.passcode)")
    try desk.ends(allowed: true)
  }

  @Test func `an empty answer asks for the passcode alone`() throws {
    let desk = try begin()
    try desk.agent.say("answer ")
    try desk.agent.line(with: "request Password:")
    try desk.agent.say("answer \(RunningDaemon.passcode)")
    try desk.ends(allowed: true)
  }

  @Test func `an answer of 600 bytes is no passcode`() throws {
    let desk = try begin()
    try desk.agent.say("answer " + String(repeating: "hunter", count: 100))
    try desk.ends(allowed: false)
  }

  @Test func `a dialog that is closed ends the scan, and costs nothing`() throws {
    let desk = try begin()
    try desk.agent.say("cancel")
    try desk.ends(allowed: false)
    #expect(try desk.scene.attempt("right").isSuccess)
  }

  /// Somebody who is asked: the words come when the reader waits for the finger.
  private func begin() throws -> PolkitDesk {
    let desk = try PolkitDesk(Scene(configuration: "prompt = either"))
    try desk.agent.line(with: PolkitDialogTests.question)
    return desk
  }
}
