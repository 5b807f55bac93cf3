import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A login while something else has the reader: of a virtual one, the path of its socket.
@Suite struct HeldReaderTests {
  @Test func `a login says that another program has the reader and takes the passcode, and afterwards the finger again`() throws {
    let scene = try Scene()
    try scene.reader.awaitClosed()
    unlink(scene.reader.path)
    #expect(mkdir(scene.reader.path, 0o755) == 0)
    let run = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode]).finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts == ["The fingerprint reader is held by another program", "Password: "])
    #expect(scene.daemon.strikesOnDisk == 0)
    try scene.daemon.awaitLog("another program holds the reader")
    rmdir(scene.reader.path)
    #expect(try scene.attempt("right").isSuccess)
  }
}
