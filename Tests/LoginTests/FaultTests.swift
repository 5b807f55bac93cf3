import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Promise 1: no path succeeds without a credential, and none hangs. Each fault of the table against each credential: the
/// real module through the real libpam, the real signetd and a virtual reader.
@Suite struct FaultTests {
  /// A login under a fault succeeds with those credentials that the fault leaves legitimate, and with no other. It ends by itself
  /// (LoginHost throws where it hangs), and leaves the host process as it was.
  private func check(_ fault: Fault, _ credential: Credential) throws {
    let run = try fault.login(credential)
    #expect((run.code == PAM_SUCCESS) == fault.accepts.contains(credential), "code \(run.code ?? -1): \(run.texts)")
    #expect(run.status == 0, "the host ended with \(run.status)")
    #expect(run.step("state")?.differences == [], "\(run.step("state")?.descriptors ?? "")")
  }

  @Test(arguments: Fault.cases(Fault.processes))
  func `a process that dies lets nobody in`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.programs))
  func `a program that is missing or lies lets nobody in`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.services))
  func `a passcode service that is missing or wrong lets nobody in`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.readers))
  func `a missing reader or user lets nobody in`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.strikes))
  func `strikes that cannot be believed lock, and the passcode unlocks`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.templates))
  func `a template that cannot be believed matches nobody`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.deviceKeys))
  func `a device key that opens nothing takes the finger away, not the passcode`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(arguments: Fault.cases(Fault.folders))
  func `a folder that cannot be believed lets nobody in`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"), arguments: Fault.cases(Fault.disks))
  func `a full disk takes nothing away, and a read-only one not the passcode`(fault: Fault, credential: Credential) throws {
    try check(fault, credential)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"))
  func `a disk that cannot be written is named at the login, and not the reader`() throws {
    let scene = try Scene(launcher: Scene.smallDisk)
    try scene.makeDiskReadOnly()
    #expect(try firstWord(scene) == .show(.readerUnavailable, value: UnavailableForm.noRoom, detail: ""))
  }

  @Test func `so are fingers of which none can be used`() throws {
    let scene = try Scene()
    try RawFile.overwrite(scene.templateFile, Array("torn".utf8))
    #expect(try firstWord(scene) == .show(.readerUnavailable, value: UnavailableForm.noUsableFinger, detail: ""))
  }

  private func firstWord(_ scene: Scene) throws -> LoginClient.Reply {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    return try client.next()
  }

  @Test func `without a fault the right credentials succeed, and no other`() throws {
    for credential in Credential.allCases {
      try check(Fault("none", accepts: [.rightFinger, .rightPasscode]), credential)
    }
  }
}
