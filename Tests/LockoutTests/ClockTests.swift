import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The clocks set back and forward, and the machine started anew, with signet.conf's defaults: nothing of it takes a strike
/// or a wrong passcode away, makes a delay shorter, or makes the finger enough where the passcode is required.
@Suite(.enabled(if: geteuid() == 0, "needs root, to mount")) struct ClockTests {
  private static let (hour, day, year) = (3_600, 86_400, 31_536_000)
  private let machine: Stage

  init() throws { machine = try Stage() }

  private func lock() throws -> LockReason { try machine.status().lock }

  private func missFiveTimes() throws {
    for _ in 1...5 { _ = try machine.logIn(finger: "wrong") }
    #expect(machine.daemon.strikesOnDisk == 5)
  }

  private func enterWrongPasscodes(_ count: Int) throws {
    for _ in 1...count { _ = try machine.logIn(finger: nil, passcode: "wrong") }
  }

  static let settings = [
    (-50 * year, 0), (50 * year, 0), (-1, 0), (0, 50 * year), (0, -1), (50 * year, 50 * year), (-year, year),
  ]

  @Test func `no setting of any clock unlocks what five strikes locked, with or without a restart`() throws {
    try machine.usePasscode()
    try missFiveTimes()
    for (wall, boot) in Self.settings {
      try machine.setClocks(wall: wall, boot: boot)
      #expect(try lock() != .none)
      #expect(try machine.logIn().last?.isSuccess == false)
      try machine.scene.restart(SIGKILL)
      #expect(try machine.logIn().last?.isSuccess == false, "wall \(wall), boot \(boot)")
      #expect(machine.daemon.strikesOnDisk == 5)
    }
  }

  @Test func `a clock set back does not make 48 hours shorter`() throws {
    try machine.usePasscode()
    #expect(try lock() == .none)
    try machine.setClocks(wall: -10 * Self.year, boot: 47 * Self.hour)
    #expect(try lock() == .none)
    try machine.setClocks(wall: -10 * Self.year, boot: 48 * Self.hour)
    #expect(try lock() == .inactivity)
    #expect(try machine.logIn().last?.isSuccess == false)
  }

  @Test(.enabled(if: access("/proc/self/ns/time", F_OK) == 0, "the kernel has no time namespaces"))
  func `48 hours on the kernel's own boot clock require the passcode`() throws {
    try machine.usePasscode()
    #expect(try lock() == .none)
    let launcher = machine.daemon.launcher
    for (seconds, reason) in [(47 * Self.hour, LockReason.none), (48 * Self.hour, .inactivity)] {
      machine.daemon.launcher = ["unshare", "--time", "--boottime", "\(seconds)"] + launcher
      try machine.scene.restart()
      #expect(try lock() == reason)
    }
    #expect(try machine.logIn().last?.isSuccess == false)
  }

  @Test func `a clock set forward counts as time that has passed, and setting it back gives nothing but what was there`() throws {
    try machine.usePasscode()
    try machine.setClocks(wall: 49 * Self.hour)
    #expect(try lock() == .inactivity)
    #expect(try machine.logIn().last?.isSuccess == false)
    try machine.setClocks()
    #expect(try lock() == .none)
  }

  @Test func `a passcode used while the clock was years ahead lasts no longer once it is set right`() throws {
    try machine.setClocks(wall: 20 * Self.year)
    try machine.usePasscode()
    try machine.setClocks(boot: 48 * Self.hour)
    #expect(try lock() == .inactivity)
  }

  @Test func `a boot clock that went back, as in a restored snapshot, counts as all the time there is`() throws {
    try machine.setClocks(boot: Self.hour)
    try machine.usePasscode()
    #expect(try lock() == .none)
    try machine.setClocks()
    #expect(try lock() == .inactivity)
    try machine.scene.restart(SIGKILL)
    #expect(try lock() == .inactivity)
    #expect(try machine.logIn().last?.isSuccess == false)
  }

  @Test func `with 156 hours since the passcode a finger four hours ago is not enough, whatever the wall clock says`() throws {
    try machine.usePasscode()
    for hours in stride(from: 40, through: 155, by: 23) {
      try machine.setClocks(wall: -Self.year, boot: hours * Self.hour)
      #expect(try machine.logIn().last?.isSuccess == true, "\(hours) hours")
    }
    try machine.setClocks(wall: -Self.year, boot: 161 * Self.hour)
    #expect(try lock() == .passcodeAge)
    #expect(try machine.logIn().last?.isSuccess == false)
  }

  @Test func `another boot requires the passcode, and a boot that comes again too`() throws {
    try machine.usePasscode()
    try machine.reboot(2)
    #expect(try lock() == .restart)
    #expect(try machine.logIn().last?.isSuccess == false)
    try machine.usePasscode()
    #expect(try machine.logIn().last?.isSuccess == true)
    // Back to the first one, whose passcode was used before.
    try machine.reboot(1)
    #expect(try lock() == .restart)
  }

  @Test func `strikes and wrong passcodes outlast the boot`() throws {
    try machine.usePasscode()
    try missFiveTimes()
    try enterWrongPasscodes(4)
    try machine.reboot(2)
    #expect(try machine.status().strikes == 5)
    #expect(try machine.status().wrongPasscodes == 4)
    #expect(try machine.logIn().last?.isSuccess == false)
  }

  @Test(arguments: ["", "garbage\n", "00000000-0000-4000-8000-00000000000\n"])
  func `without a boot identity the passcode is required`(identity: String) throws {
    try machine.usePasscode()
    try machine.daemon.write("boot_id", identity)
    try machine.scene.restart()
    #expect(try lock() == .restart)
    // It is asked for each time: nobody can say whether this is still the same boot.
    try machine.usePasscode()
    #expect(try lock() == .restart)
  }

  @Test func `no setting of any clock, and no restart, shortens the delay of wrong passcodes`() throws {
    try enterWrongPasscodes(5)
    let settings = [(-Self.year, 0), (Self.year, 0), (0, -1), (Self.year, 59), (-Self.year, 59)]
    for (wall, boot) in settings {
      try machine.setClocks(wall: wall, boot: boot)
      #expect(try machine.status().passcodeDelay > 0)
      let replies = try machine.logIn(passcode: RunningDaemon.passcode)
      #expect(!replies.contains { if case .askPasscode = $0 { true } else { false } }, "wall \(wall), boot \(boot)")
    }
    try machine.scene.restart(SIGKILL)
    #expect(try machine.status().wrongPasscodes == 5)
    try machine.setClocks(boot: 60)
    #expect(try machine.logIn(passcode: RunningDaemon.passcode).last?.isSuccess == true)
  }

  @Test func `after a restart the delay of wrong passcodes begins with the boot`() throws {
    try machine.setClocks(boot: 10 * Self.hour)
    try enterWrongPasscodes(5)
    // Up for ten hours when it was entered, for ten seconds now.
    let up = try Self.secondsSinceBoot()
    try machine.setClocks(boot: 10 - up)
    try machine.reboot(2)
    #expect((40...60).contains(try delay()))
    try machine.setClocks(boot: 61 - up)
    #expect(try delay() == 0)
  }

  /// Of whoever has to wait. By this clock every process began after it had asked, so that before Linux 6.5 nobody knows who
  /// asks, and it is somebody else who waits.
  private func delay() throws -> UInt32 {
    let row = try machine.status()
    return max(row.passcodeDelay, row.delayElsewhere)
  }

  private static func secondsSinceBoot() throws -> Int {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return now.tv_sec
  }
}
