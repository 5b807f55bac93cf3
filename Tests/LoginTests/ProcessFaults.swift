import Glibc
import SignetTestKit

private let finger: Set<Credential> = [.rightFinger]
private let passcode: Set<Credential> = [.rightPasscode]

extension Fault {
  /// Dead, missing and lying processes.
  static let processes: [Fault] = [
    Fault("signetd is gone") { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed at the prompt", .atTouch) { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed after a miss", .afterMiss) { $0.daemon.end(SIGKILL) },
    Fault("signetd is killed while it checks a passcode", .whileCheckingPasscode) { $0.daemon.end(SIGKILL) },
    Fault("signetd is stopped by the system at the prompt", .atTouch) { $0.daemon.end(SIGTERM) },
    Fault("signetd is started anew after a miss", .afterMiss) { try $0.restart(SIGKILL) },
    Fault("signet-reader was killed", accepts: [.rightFinger, .rightPasscode]) { try $0.signal(SIGKILL, to: "signet-reader") },
    Fault("signet-reader is killed at the prompt", .atTouch, accepts: passcode) { try $0.signal(SIGKILL, to: "signet-reader") },
    Fault("signet-reader is killed after a miss", .afterMiss, accepts: passcode) {
      try $0.signal(SIGKILL, to: "signet-reader")
    },
    Fault("signet-passcode is killed while it checks", .whileCheckingPasscode) { try $0.signal(SIGKILL, to: "signet-passcode") },
    Fault("signet-passcode is stopped while it checks", .whileCheckingPasscode) {
      try $0.signal(SIGSTOP, to: "signet-passcode")
    },
  ]

  /// Programs in the place of signetd's own.
  static let programs: [Fault] = [
    Fault("signet-reader is missing", accepts: passcode) { try $0.replace("signet-reader", by: nil) },
    Fault("signet-reader ends at once", accepts: passcode) { try $0.replace("signet-reader", by: "exit 0") },
    Fault("signet-reader says nothing", accepts: passcode, options: "timeout=1") {
      try $0.replace("signet-reader", by: "exec sleep 60")
    },
    Fault("signet-reader says nonsense", accepts: passcode) {
      try $0.replace("signet-reader", by: "head -c 300 /dev/urandom >&0; exec sleep 60")
    },
    Fault("signet-reader sends matches of other operations", accepts: passcode, options: "timeout=1") { scene in
      let matches: [UInt32] = [0, 1, 3, 99, .max]
      let script =
        try ["head -c 1 >/dev/null", scene.sending(.opened(operation: 1))]
        + matches.map { try scene.sending(.match(operation: $0, index: 0)) } + ["exec sleep 60"]
      try scene.replace("signet-reader", by: script.joined(separator: "\n"))
    },
    Fault("signet-reader sends a match before the reader is open", accepts: passcode, options: "timeout=1") { scene in
      let script = try ["head -c 1 >/dev/null", scene.sending(.match(operation: 1, index: 0)), "exec sleep 60"]
      try scene.replace("signet-reader", by: script.joined(separator: "\n"))
    },
    Fault("signet-passcode is missing", accepts: finger) { try $0.replace("signet-passcode", by: nil) },
    Fault("signet-passcode ends at once", accepts: finger) { try $0.replace("signet-passcode", by: "exit 0") },
    Fault("signet-passcode says nonsense", accepts: finger) {
      try $0.replace("signet-passcode", by: "head -c 64 /dev/urandom >&0; exec sleep 60")
    },
    Fault("signet-passcode says verified and more", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([1, 2, 0xA5, 0, 0, 0, 0, 0]))
    },
    Fault("signet-passcode says half of verified", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([1, 2, 0xA5]))
    },
    Fault("signet-passcode says verified in another version", accepts: finger) { scene in
      try scene.replace("signet-passcode", by: scene.sending([2, 2, 0xA5, 0, 0, 0, 0]))
    },
  ]

  /// The service that checks passcodes.
  static let services: [Fault] = [
    Fault("the passcode service is missing", accepts: finger) { unlink($0.daemon.confdir + "/signet-passcode") },
    Fault("the passcode service is empty", accepts: finger) { try $0.setPasscodeService("") },
    Fault("the passcode service names a missing module", accepts: finger) {
      try $0.setPasscodeService("auth required pam_not_there.so")
    },
    Fault("the passcode service permits without asking", accepts: finger) {
      try $0.setPasscodeService("auth required pam_permit.so")
    },
    Fault("the passcode service denies", accepts: finger) { try $0.setPasscodeService("auth required pam_deny.so") },
    Fault("the passcode service asks signet itself", accepts: finger) { scene in
      let module = try ReaderChannel.program("libpam_signet.so")
      try scene.setPasscodeService("auth required \(module) socket=\(scene.daemon.socket)")
    },
  ]
}

extension Fault {
  static let readers: [Fault] = [
    Fault("the user is not known", user: "no-such-user"),
    Fault("the user's name is a path", user: "../root"),
    Fault("no reader is connected", accepts: passcode) { scene in
      let text = try String(decoding: RawFile.read(scene.daemon.folder + "/signet.conf"), as: UTF8.self)
      try scene.daemon.write("signet.conf", text.replacing(scene.reader.configuration, with: ""))
      try scene.restart()
    },
    Fault("the reader is unplugged at the prompt", .atTouch, accepts: passcode) { try $0.reader.unplug() },
    Fault("the reader is unplugged after a miss", .afterMiss, accepts: passcode) { try? $0.reader.unplug() },
    Fault("the reader fails at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(0) },
    Fault("the reader speaks another protocol at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(5) },
    Fault("the reader is too hot at the prompt", .atTouch, accepts: passcode) { try $0.reader.fail(0x101) },
  ]
}
