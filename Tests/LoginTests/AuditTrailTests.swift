import Foundation
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What auditd is told, by a libaudit of the test's own that writes down each record: the machine has no auditd.
@Suite struct AuditTrailTests {
  private let scene: Scene
  private let folder: TemporaryFolder
  private var pidFile: String { folder.path + "/auditd.pid" }
  private var records: [String] {
    let text = (try? RawFile.text(folder.path + "/records")) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  init() throws {
    folder = try TemporaryFolder()
    let source = """
      #include <fcntl.h>
      #include <stdio.h>
      #include <unistd.h>
      int audit_open(void) { return open("\(folder.path)/records", O_WRONLY | O_CREAT | O_APPEND, 0600); }
      int audit_log_acct_message(int fd, int type, const char *program, const char *op, const char *name, unsigned id, const char *host,
                                 const char *address, const char *tty, int result) {
        dprintf(fd, "%d %s %s %u %s %s\\n", type, op, name, id, tty ? tty : "-", result ? "yes" : "no");
        return program || host || address ? -1 : access("\(folder.path)/full", F_OK) != 0;
      }
      """
    try RawFile.create(folder.path + "/libaudit.c", Array(source.utf8))
    try compileSharedObject(folder.path + "/libaudit.c", to: folder.path + "/libaudit.so.1")
    scene = try Scene(
      launcher: ["env", "LD_LIBRARY_PATH=\(folder.path)"], enrolls: false, options: ["--auditd-pid", folder.path + "/auditd.pid"])
  }

  private func expect(_ lines: [String]) throws {
    let wanted = lines.map { $0.replacing("USER", with: "\(scene.daemon.user) \(scene.daemon.uid)") }
    // They come a moment after the verdict.
    try wait(for: "\(wanted), not \(records),") { records == wanted }
  }

  @Test func `each proof, each miss, the lock, its end and changes of fingers are records`() throws {
    try RawFile.create(pidFile, [])
    try scene.enroll(.rightIndexFinger, as: "right")
    try scene.reader.awaitClosed()
    #expect(try scene.attempt("right").isSuccess)
    var lines = ["1108 signet:enroll USER - yes", "1100 signet:fingerprint USER pts/0 yes"]
    try expect(lines)
    try scene.strikeOut()
    lines += Array(repeating: "1100 signet:fingerprint USER pts/0 no", count: 5) + ["2207 signet:fingerprints USER pts/0 yes"]
    try expect(lines)
    try scene.loginByPasscode(until: "fingerprints unlocked")
    for wanted in ["1136 signet:fingerprints ", "1100 signet:passcode "] {
      try wait(for: "\(wanted)in \(records)") { records.dropFirst(lines.count).contains { $0.hasPrefix(wanted) } }
    }
    try scene.lock()
    try wait(for: "the lock in \(records)") { records.last?.hasPrefix("1135 signet:fingerprints ") == true }
  }

  @Test func `where no auditd runs nothing is loaded, and it may come later`() throws {
    try scene.enroll(.rightIndexFinger, as: "right")
    try scene.reader.awaitClosed()
    #expect(try scene.attempt("right").isSuccess)
    // Logged after all that is done about the proof.
    try scene.daemon.awaitLog("token released")
    #expect(try !RawFile.text("/proc/\(scene.daemon.pid)/maps").contains("libaudit"))
    try RawFile.create(pidFile, [])
    #expect(try scene.attempt("right").isSuccess)
    try expect(["1100 signet:fingerprint USER pts/0 yes"])
    #expect(try RawFile.text("/proc/\(scene.daemon.pid)/maps").contains("libaudit"))
  }

  @Test func `a record that is not taken keeps nobody from logging in, and is told in the log`() throws {
    try RawFile.create(pidFile, [])
    try RawFile.create(folder.path + "/full", [])
    try scene.enroll(.rightIndexFinger, as: "right")
    try scene.reader.awaitClosed()
    #expect(try scene.attempt("right").isSuccess)
    try scene.daemon.awaitLog("auditd runs, and takes no record of signetd")
  }
}
