import CPAM
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

private let ask = ScriptedDaemon.Step.send(Packet.askPasscode(.misses))
private let miss = ScriptedDaemon.Step.send(Packet.show(.notRecognised, value: 0))
private let accepted = ScriptedDaemon.Step.send(Packet.success(.passcode, token: token))

/// What is known of single hosts, and of one of which nothing is.
@Suite struct HostMannersTests {
  private func question(of service: String) throws -> QuestionForm? {
    let (host, requests) = try run([.expect(.authenticate), success], service: service)
    #expect(host.code == PAM_SUCCESS)
    return requests[0].last.flatMap(QuestionForm.init)
  }

  @Test(arguments: ["signet-test", "sddm", "xscreensaver", "kde", "gdm-password", "sudo", "su", "doas"])
  func `a host without a terminal hears no passcode while a finger is waited for, and signetd is told so`(service: String) throws
  {
    #expect(try question(of: service) == .alone)
  }

  @Test(arguments: ["lightdm", "xsecurelock", "common-auth", "polkit-1"])
  func `a host whose question ends with it has one for both, which stands as it is`(service: String) throws {
    #expect(try question(of: service) == .standing)
  }

  @Test(arguments: ["sddm", "xscreensaver"]) func `hosts that a message would harm are shown none`(service: String) throws {
    let (host, _) = try run(
      [.expect(.authenticate), touch, miss, ask, .expect(.passcode), accepted], service: service, answers: ["horse"])
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Password: "])
  }

  @Test(arguments: ["sudo", "su", "doas"])
  func `nothing that is no error goes into the output of a command`(service: String) throws {
    let late = ScriptedDaemon.Step.send(Packet.show(.timedOut, value: 0))
    let (host, _) = try run(
      [.expect(.authenticate), touch, late, ask, .expect(.passcode), accepted], service: service, answers: ["horse"])
    #expect(host.code == PAM_SUCCESS)
    #expect(host.texts == ["Password: "])
  }

  @Test func `that nobody touched the reader is no error`() throws {
    let late = ScriptedDaemon.Step.send(Packet.show(.timedOut, value: 0))
    let (host, _) = try run([.expect(.authenticate), late, ask, .expect(.passcode), accepted], answers: ["horse"])
    #expect(host.step("authenticate")?.messages?.first?.style == PAM_TEXT_INFO)
  }
}
