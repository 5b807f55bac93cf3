import Foundation
import Glibc
import SignetMachine
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

@testable import SignetCommandLine
@testable import SignetStackCheck

/// Each line of `signet doctor`, on a machine in a folder.
@Suite struct DoctorTests {
  private let folder: TemporaryFolder
  private var machine: Machine

  init() throws {
    folder = try TemporaryFolder()
    machine = Machine(root: folder.path, isRoot: true, now: 2_000_000_000)
  }

  private func put(_ path: String, _ text: String = "", mode: Int = 0o644) throws {
    let manager = FileManager.default
    let parent = String((folder.path + path)[..<(folder.path + path).lastIndex(of: "/")!])
    try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try text.write(toFile: folder.path + path, atomically: false, encoding: .utf8)
    chmod(folder.path + path, mode_t(mode))
  }

  private func link(_ path: String, to target: String) throws {
    try put(path)
    unlink(folder.path + path)
    #expect(symlink(target, folder.path + path) == 0)
  }

  private func expect(
    _ findings: [Finding], _ level: Finding.Level, _ words: String, _ mend: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) {
    let found = findings.first { $0.message.contains(words) }
    #expect(found?.level == level, "\(findings)", sourceLocation: location)
    #expect(found?.mend.contains(mend) ?? false || mend.isEmpty, "\(findings)", sourceLocation: location)
    // What does not hold comes with what to do.
    let isHelpless = findings.contains { $0.level == .fail && $0.mend.isEmpty }
    #expect(!isHelpless, "\(findings)", sourceLocation: location)
  }

  private func readers(_ listing: Result<Listing<ReaderDescription>, CommandFailure>? = nil, root: Bool = true) -> [Finding] {
    var machine = machine
    machine.isRoot = root
    return ReaderFindings(machine: machine, listing: listing ?? .success(Listing(rows: [ListingTests.reader]))).all
  }

  @Test func `where a desktop's finger is Signet's and nothing else is, a service is told how Signet is switched on`() throws {
    try put("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service", "Exec=/usr/libexec/signet/signet-fprint\n")
    try put("/etc/pam.d/gdm-fingerprint", "auth required pam_fprintd.so\n")
    try put("/etc/pam.d/sudo", "auth required pam_unix.so\n")
    let stacks = LoginStacks(folder: folder.path + "/etc/pam.d", machine: machine)
    #expect(stacks.isAsked == true && stacks.notice == nil)
    #expect(try stacks.isAsked(by: "sudo") == false && stacks.isAsked(by: "gdm-fingerprint") == true)
    #expect(stacks.noticeOfOne == StackUseText.notThisYet)
    try put("/etc/pam.d/login", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(stacks.noticeOfOne == StackUseText.notThis)
  }

  @Test func `readers are named with their driver, and it is said where there is none or signetd does not answer`() throws {
    try put("/etc/group", "root:x:0:\nsignet:x:\(getgid()):\n")
    expect(readers(), .ok, "(driver synaptics)")
    expect(readers(.success(Listing(rows: []))), .warn, "no reader is there", "lsusb")
    expect(readers(.failure(CommandFailure(.noHelper, "it is away"))), .fail, "it is away", "systemctl status signetd.socket")
    try put("/etc/group", "root:x:0:\n")
    expect(readers(), .fail, "no group signet", "systemd-sysusers")
  }

  @Test func `a reader's node has to be the group's alone`() throws {
    try put("/etc/group", "signet:x:\(getgid()):\n")
    try put("/run/udev/data/c189:130", "E:ID_SIGNET_READER=1\n")
    try put("/run/udev/data/c189:131", "E:ID_BUS=usb\n")
    try put("/dev/bus/usb/002/003", mode: 0o660)
    try put("/dev/bus/usb/002/004", mode: 0o666)
    expect(readers(), .ok, "/dev/bus/usb/002/003 belongs to the group signet")
    #expect(!readers().contains { $0.message.contains("002/004") })
    chmod(folder.path + "/dev/bus/usb/002/003", 0o666)
    expect(readers(), .fail, "002/003 does not belong to the group signet alone: its mode is 666", "udevadm trigger")
  }

  @Test func `who holds the reader is named, to root`() throws {
    try put("/etc/group", "signet:x:\(getgid()):\n")
    try put("/run/udev/data/c189:130", "E:ID_SIGNET_READER=1\n")
    try put("/dev/bus/usb/002/003", mode: 0o660)
    for (pid, name) in [("7", "signet-reader"), ("8", "fprintd"), ("9", "a-browser")] {
      try put("/proc/\(pid)/comm", name + "\n")
      try link("/proc/\(pid)/fd/3", to: "/dev/bus/usb/002/003")
    }
    expect(readers(), .warn, "fprintd runs", "systemctl mask --now fprintd.service")
    expect(readers(), .warn, "a-browser (pid 9) holds /dev/bus/usb/002/003")
    #expect(!readers().contains { $0.message.contains("signet-reader") })
    #expect(readers(root: false).contains { $0.needsRoot && $0.message.contains("only root sees") })
  }

  @Test func `a holder's name cannot drive the terminal or be long`() throws {
    try put("/run/udev/data/c189:130", "E:ID_SIGNET_READER=1\n")
    try put("/proc/9/comm", "a\u{1B}[2J\u{202E}" + String(repeating: "b", count: 100) + "\n")
    try link("/proc/9/fd/3", to: "/dev/bus/usb/002/003")
    try put("/proc/10/comm", "other\n")
    try link("/proc/10/fd/3", to: "/dev/bus/usb/002/0031")
    #expect(ReaderHolders(machine).seen().map(\.words) == ["a\u{FFFD}[2J\u{FFFD}bbbbbbbb (pid 9)"])
    // Somebody waits meanwhile.
    #expect(ReaderHolders(machine).seen(while: { false }) == [])
  }

  @Test func `a reader that another program holds is told of, and who sees which program`() throws {
    try put("/etc/group", "signet:x:\(getgid()):\n")
    var reader = ListingTests.reader
    reader.obstacle = .heldByOther
    let listing = Result<Listing<ReaderDescription>, CommandFailure>.success(Listing(rows: [reader]))
    expect(readers(listing, root: false), .warn, "is held by another program: logins ask for the passcode", "as root")
    expect(readers(listing), .warn, "(driver synaptics) is held by another program")
  }

  @Test func `it is said which reader tells of no finger, and what its cancels cost`() throws {
    try put("/etc/group", "signet:x:\(getgid()):\n")
    var reader = ListingTests.reader
    func words() -> String { readers(.success(Listing(rows: [reader]))).map(\.message).joined(separator: "\n") }
    #expect(!words().contains("does not tell"))
    reader.driver = "elanmoc"
    let rows = Listing(rows: [reader])
    expect(readers(.success(rows)), .ok, "does not tell whether a finger is there: three cancelled scans count as a miss")
    (reader.driver, reader.hasStorage) = ("upekts", false)
    #expect(words().contains("does not tell"))
  }

  @Test func `a reader under a closed lid is no fault, and it is said that the passcode is asked for`() throws {
    try put("/etc/group", "signet:x:\(getgid()):\n")
    var reader = ListingTests.reader
    reader.obstacle = .lidClosed
    let words = "the lid is closed: logins ask for the passcode, and for no finger on synaptics:0; see lid in signet.conf(5)"
    expect(readers(.success(Listing(rows: [reader]))), .ok, words)
  }

  @Test func `units are installed, enabled and listening, or it is said how to get there`() throws {
    func findings() -> [Finding] { ServiceFindings(machine: machine).all }
    expect(findings(), .warn, "systemd does not run here")
    try put("/run/systemd/system/x")
    expect(findings(), .fail, "signetd.socket is not installed")
    expect(findings(), .fail, "nothing listens", "systemctl start signetd.socket")
    for (unit, target) in [("signetd.socket", "sockets.target"), ("signet-sleep.service", "sleep.target")] {
      try put("/usr/lib/systemd/system/\(unit)")
      expect(findings(), .warn, "\(unit) is not enabled", "systemctl enable --now \(unit)")
      try link("/etc/systemd/system/\(target).wants/\(unit)", to: "/usr/lib/systemd/system/\(unit)")
    }
    try put("/run/signet/socket")
    #expect(findings().count == 3 && findings().allSatisfy { $0.level == .ok })
  }

  @Test func `a stack with faults fails, and pam_fprintd beside Signet is told of`() throws {
    func findings(_ reports: [ServiceReport]) -> [Finding] { PAMFindings(machine: machine, reports: .success(reports)).all }
    expect(findings([]), .warn, "no PAM service uses Signet", "pam-auth-update --enable signet")
    expect(findings([ServiceReport(service: "sudo")]), .ok, "no fault in 1 services")
    let fault = Fault(.opensWithoutCredential, FileLocation(file: "sudo", line: 1, text: "x"), why: "", instead: "")
    expect(findings([ServiceReport(service: "sudo", faults: [fault])]), .fail, "faults in sudo", "signet check-pam")
    try put("/etc/pam.d/sudo", "# auth sufficient pam_fprintd.so\n")
    #expect(findings([ServiceReport(service: "sudo")]).count == 1)
    try put("/etc/pam.d/common-auth", "auth sufficient pam_fprintd.so\n")
    expect(findings([]), .warn, "pam_fprintd.so is in common-auth", "pam-auth-update --disable fprintd")
    try put("/etc/pam.d/common-auth", "")
    try put("/etc/pam.d/gdm-fingerprint", "auth required pam_fprintd.so\n")
    expect(findings([]), .warn, "pam_fprintd.so is in gdm-fingerprint", "apt install signet-fprintd")
    // With fprintd's name on the bus the module is Signet's, too.
    try put("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service", "Exec=/usr/libexec/signet/signet-fprint\n")
    #expect(!findings([]).contains { $0.message.contains("pam_fprintd") })
  }

  @Test func `who has fingers with fprintd only is named, to root`() throws {
    func findings(root: Bool = true) -> [Finding] {
      var machine = machine
      machine.isRoot = root
      return FprintdFindings(machine: machine).all
    }
    try put("/etc/passwd", "root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n")
    #expect(findings().isEmpty)
    for user in ["alice", "bob", "gone"] { try put("/var/lib/fprint/\(user)/synaptics/0/7") }
    expect(findings(), .warn, "fingers of alice, bob, and Signet", "signet import fprintd --user alice")
    #expect(findings(root: false).isEmpty)
    try put("/var/lib/signet/users/1000/right-index-finger@0.template")
    try put("/var/lib/signet/users/1001/strikes")
    expect(findings(), .warn, "fingers of bob, and Signet", "signet import fprintd --user bob")
    try put("/var/lib/signet/users/1001/left-thumb@0.template")
    #expect(findings().isEmpty)
  }

  @Test func `what keeps keys is said as signetd says it, in the words of the status`() throws {
    func findings(_ protection: KeyProtection, _ home: KeyHome) -> [Finding] {
      let row = StatusRow(user: "root", uid: 0, strikes: 0, limit: 5, lock: .none, wrongPasscodes: 0, keys: home)
      return KeyFindings(status: .success(UserStatus(strikes: row, vault: VaultRow(state: .none, protection: protection)))).all
    }
    expect(findings(.secret, .tpm), .ok, "keys of open vaults: \(ItemText.keys(.secret))")
    expect(findings(.locked, .tpm), .warn, "keys of open vaults: \(ItemText.keys(.locked))", "secretmem.enable=1")
    expect(findings(.unkept, .tpm), .warn, "keys of open vaults: \(ItemText.keys(.unkept))", "systemctl restart")
    for home in KeyHome.allCases {
      guard let words = KeyText.of(home, pcrs: 0) else { continue }
      let isInOrder = [.file, .tpm].contains(home)
      expect(findings(.secret, home), isInOrder ? .ok : .warn, "the key of fingers and vaults: \(words)")
    }
    #expect(findings(.secret, .none).count == 1)
    expect(KeyFindings(status: .failure(CommandFailure(.noHelper, "it is away"))).all, .warn, "it is away", "systemctl status")
  }

  @Test func `where no session began through Signet it is said that programs do not read what is for an unlocked one`() {
    func findings(_ state: VaultState, _ sessions: Int?) -> [Finding] {
      let row = StatusRow(user: "alice", uid: 1000, strikes: 0, limit: 5, lock: .none, wrongPasscodes: 0, keys: .none)
      let status = UserStatus(strikes: row, vault: VaultRow(state: state, protection: .secret))
      return KeyFindings(status: .success(status), sessions: sessions).all
    }
    expect(findings(.open, 0), .warn, "programs get -25308", "signet check-pam login")
    expect(findings(.open, 1), .ok, "a session of yours began through Signet")
    for (state, sessions) in [(VaultState.open, nil), (.closed, 0), (.none, 0)] as [(VaultState, Int?)] {
      #expect(findings(state, sessions).count == 1)
    }
  }

  @Test func `it is said what the kernel allows`() throws {
    expect(KernelFindings(machine: machine).kernel, .warn, "may trace each other", "sysctl kernel.yama.ptrace_scope=1")
    try put("/proc/sys/kernel/yama/ptrace_scope", "1\n")
    try put("/proc/sys/kernel/core_pattern", "|/usr/lib/systemd/systemd-coredump %P\n")
    try put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n")
    let kernel = KernelFindings(machine: machine).kernel
    #expect(kernel.allSatisfy { $0.level == .ok })
    expect(kernel, .ok, "core dumps go to a program")
    expect(kernel, .ok, "is locked down")
  }

  @Test func `the state has to be its owner's alone, with its key and with space`() throws {
    func findings(root: Bool = true, free: UInt64 = 1 << 30) -> [Finding] {
      var machine = machine
      machine.isRoot = root
      var state = StateFindings(machine)
      (state.owner, state.free) = (geteuid(), free)
      return state.state
    }
    expect(findings(), .fail, "/var/lib/signet is missing", "systemd-tmpfiles")
    try put("/var/lib/signet/users/1000/strikes")
    chmod(folder.path + "/var/lib/signet", 0o755)
    expect(findings(), .fail, "is not root's alone", "chmod 700")
    chmod(folder.path + "/var/lib/signet", 0o700)
    expect(findings(), .ok, "is root's alone")
    expect(findings(), .fail, "device.key is missing", "backup")
    try put("/var/lib/signet/device.key")
    expect(findings(), .ok, "the device key is there")
    unlink(folder.path + "/var/lib/signet/device.key")
    try put("/var/lib/signet/device.tpm")
    expect(findings(), .ok, "the device key is there")
    #expect(findings(root: false).contains { $0.needsRoot })
    expect(findings(free: 8 << 20), .warn, "8 MiB are free", "df")
    expect(findings(free: 1000), .fail, "0 MiB are free", "df")
  }

  @Test func `a TPM, the clock and the configuration are looked at`() throws {
    expect(StateFindings(machine).tpm, .ok, "there is no TPM")
    try put("/dev/tpmrm0")
    expect(StateFindings(machine).tpm, .warn, "not libtss2-esys", "apt-get install")
    try put("/usr/lib/x86_64-linux-gnu/libtss2-esys.so.0")
    expect(StateFindings(machine).tpm, .ok, "and libtss2-esys")
    let first = "finger_after_restart = yes\n"
    try put("/etc/signet/signet.conf", first)
    expect(StateFindings(machine).tpm, .warn, "finger_after_restart does nothing while passcode_after_inactivity", "= no")
    try put("/etc/signet/signet.conf", first + "passcode_after_inactivity = off\npasscode_after_age = off\n")
    expect(StateFindings(machine).tpm, .ok, "the first finger may open the vault")
    try put("/etc/signet/signet.conf", first + "tpm = no\n")
    expect(StateFindings(machine).tpm, .warn, "finger_after_restart does nothing: no TPM has the device key", "= no")
    unlink(folder.path + "/etc/signet/signet.conf")
    try put("/usr/bin/signet")
    expect(StateFindings(machine).clock, .ok, "is past the day")
    var early = machine
    early.now = 1_000
    expect(StateFindings(early).clock, .warn, "is before the day", "timedatectl")
    expect(StateFindings(machine).configuration, .ok, "everything is at its default")
    try put("/etc/signet/signet.conf", "strikes = many\n")
    expect(StateFindings(machine).configuration, .fail, "has errors", "signet check-config")
  }

  @Test func `what is no file, or has no end, is not read for ever`() throws {
    #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
    #expect(machine.text("/fifo") == "")
    try put("/long", String(repeating: "x", count: Machine.limit + 1))
    #expect(machine.text("/long")?.utf8.count == Machine.limit)
    #expect(machine.text("/none") == nil && machine.names("/none") == nil && machine.link("/long") == nil)
  }

  // MARK: - the command

  @Test func `the exit status is 1 where something failed, and JSON has the same lines`() throws {
    let broken = try Signet.run(["doctor", "--only", "readers", "--socket", folder.path + "/none"])
    #expect(broken.status == 1)
    #expect(broken.output.contains("fail  readers"))
    #expect(broken.output.contains("-> systemctl status signetd.socket"))
    #expect(broken.errors.isEmpty)
    let fine = try Signet.run(["doctor", "--only", "clock"])
    #expect(fine.status == 0)
    let json = try Signet.run(["doctor", "--only", "kernel", "--json"])
    #expect(json.status == 0)
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(rows.count == 3 && rows.allSatisfy { Set($0.keys) == ["group", "level", "message", "command", "needsRoot"] })
  }
}
