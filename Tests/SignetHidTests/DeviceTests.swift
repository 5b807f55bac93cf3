import Glibc
import SignetBusProgram
import SignetTestKit
import Testing

@testable import SignetHid

/// The kernel's numbers of what is said about a device (linux/uhid.h).
private enum Event {
  static let create2: [UInt8] = [11, 0, 0, 0]
  static let open: [UInt8] = [4, 0, 0, 0]
  static let close: [UInt8] = [5, 0, 0, 0]
  static let output: [UInt8] = [6, 0, 0, 0]
  static let input2: [UInt8] = [12, 0, 0, 0]
  static let getReport: [UInt8] = [9, 0, 0, 0]
  static let getReportReply: [UInt8] = [10, 0, 0, 0]
  static let setReport: [UInt8] = [13, 0, 0, 0]
  static let setReportReply: [UInt8] = [14, 0, 0, 0]

  /// What a program wrote to the node, with the number of the report in front.
  static func output(_ bytes: [UInt8]) -> [UInt8] {
    output + bytes + [UInt8](repeating: 0, count: 4_096 - bytes.count) + [UInt8(bytes.count), 0, 1]
  }
}

@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct DeviceTests {
  private let report = (0..<64).map { UInt8($0 + 1) }

  /// The user who runs the test is connected, and has the device.
  private func served() throws -> (HidWorld, user: PacketSocket, device: PacketSocket) {
    let world = try HidWorld()
    try world.seat()
    let user = try world.connectAndWait()
    return (world, user, try world.device().0)
  }

  // MARK: The device

  @Test func `it is a FIDO device with one report of 64 bytes in each direction`() throws {
    let world = try HidWorld()
    try world.seat()
    let user = try world.connectAndWait()
    let (device, description) = try world.device()
    #expect(description.prefix(4) == Event.create2[...])
    #expect(String(decoding: description[4..<18], as: UTF8.self) == "Signet passkey" && description[18] == 0)
    // Behind name, place and owner: the size of the descriptor, USB, and the vendor.
    #expect(description[260..<270] == [34, 0, 3, 0, 0xd0, 0xf1, 0, 0, 1, 0])
    let reports: [UInt8] = [
      0x06, 0xd0, 0xf1, 0x09, 0x01, 0xa1, 0x01, 0x09, 0x20, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95,
      0x40, 0x81, 0x02, 0x09, 0x21, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x40, 0x91, 0x02, 0xc0,
    ]
    #expect(Array(description[280...]) == reports)
    withExtendedLifetime(device) { #expect(user.isQuiet) }
  }

  @Test func `reports pass whole, in either direction`() throws {
    let (_, user, device) = try served()
    try device.send(Event.output([0] + report))
    #expect(try user.next() == report)
    try user.send(report.reversed())
    #expect(try device.next() == Event.input2 + [64, 0] + report.reversed())
  }

  @Test func `what is no report of 64 bytes does not reach the user, and who asks for a feature is refused at once`() throws {
    let (_, user, device) = try served()
    for bytes in [[0] + report.dropLast(), [1] + report, report, [0] + report + [0], []] { try device.send(Event.output(bytes)) }
    try device.send(Event.getReport + [1, 2, 3, 4, 0, 0])
    #expect(try device.next() == Event.getReportReply + [1, 2, 3, 4, 5, 0, 0, 0])
    try device.send(Event.setReport + [5, 6, 7, 8, 0, 0, 1, 0, 9])
    #expect(try device.next() == Event.setReportReply + [5, 6, 7, 8, 5, 0])
    try device.send(Event.output([0] + report))
    #expect(try user.next() == report)
  }

  @Test(arguments: [0, 1, 63, 65, 4_096]) func `a packet of another size ends the connection, and the device`(size: Int) throws {
    let (_, user, device) = try served()
    try user.send([UInt8](repeating: 1, count: size))
    #expect(try device.ends() && user.ends())
  }

  @Test func `who leaves takes the device along, and a device that goes takes the connection along`() throws {
    let world = try HidWorld()
    try world.seat()
    do {
      let user = try world.connectAndWait()
      let (device, _) = try world.device()
      shutdown(user.descriptor, Int32(SHUT_RDWR))
      #expect(try device.ends())
    }
    let user = try world.connectAndWait()
    do { _ = try world.device() }
    #expect(try user.ends())
  }

  @Test func `reports for a user who does not read are dropped, and the next ones come`() throws {
    let (_, user, device) = try served()
    for _ in 0..<1_000 { try device.send(Event.output([0] + report)) }
    // Behind all of them, so that they have been read.
    try device.send(Event.getReport + [1, 0, 0, 0, 0, 0])
    _ = try device.next()
    var count = 0
    while !user.isQuiet {
      #expect(try user.next() == report)
      count += 1
    }
    #expect(count > 0 && count < 1_000)
    try device.send(Event.output([0] + report.reversed()))
    #expect(try user.next() == report.reversed())
  }

  @Test func `that the last program closed it is told in one byte, behind its reports`() throws {
    let (_, user, device) = try served()
    try device.send(Event.open)
    try device.send(Event.output([0] + report))
    try device.send(Event.close)
    #expect(try user.next() == report && user.next() == [0])
  }

  @Test func `a user who cannot be told of it loses the connection`() throws {
    let (_, user, device) = try served()
    for _ in 0..<1_000 { try device.send(Event.output([0] + report)) }
    try device.send(Event.close)
    #expect(try device.ends() && user.ends())
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to read of a process what it waits for"))
  func `while nobody speaks it sleeps until somebody does, in 5 MB`() throws {
    let (world, user, device) = try served()
    try device.send(Event.open)
    try wait(for: "a sleep without a limit") { sleepsWithoutLimit(world.service.program.pid) }
    let size = try residentKilobytes(of: world.service.program.pid)
    withExtendedLifetime(user) { #expect(size <= 5 * 1024) }
  }

  @Test func `a node that is not there ends the connection, and is said`() throws {
    let world = try HidWorld(node: "/nonexistent")
    try world.seat()
    let user = try world.connect()
    #expect(try user.ends())
    try world.service.line(with: "no device for uid \(HidWorld.me): /nonexistent: No such file or directory")
  }

  // MARK: Whose it is

  @Test(arguments: [
    "Remote=true", "Active=false", "LockedHint=true", "State=closing", "Class=greeter", "Class=manager", "Seat=seat1", "other",
  ]) func `a session that is not a login at this seat has none, and who waits has it later`(property: String) throws {
    let world = try HidWorld()
    let user = try world.connectAndWait()
    let isAnothers = property == "other"
    try world.seat("odd", isAnothers ? HidWorld.me &+ 1 : HidWorld.me, isAnothers ? "" : property)
    try world.seat()
    let (device, _) = try world.device()
    #expect(user.isQuiet && world.hasNoOther)
    try device.send(Event.output([0] + report))
    #expect(try user.next() == report)
  }

  @Test(arguments: [
    ("active nobody", "active c1"), ("set c1 Active false", "set c1 Active true"),
    ("set c1 LockedHint true", "set c1 LockedHint false"), ("lock c1", "unlock c1"), ("lock c1", "set c1 LockedHint false"),
    ("end c1", "active c1"), ("release", "own"),
  ]) func `a switch, a lock and a logout end it at once, and afterwards it is made again`(end: String, begin: String) throws {
    let (world, user, device) = try served()
    try world.logind.does(end)
    #expect(try device.ends() && user.ends())
    let next = try world.connectAndWait()
    #expect(world.hasNoOther)
    try world.logind.does(begin)
    let (again, _) = try world.device()
    withExtendedLifetime(again) { #expect(next.isQuiet) }
  }

  @Test(arguments: ["lock c1", "lock-at-all c1"]) func `a lock of anybody else's is ignored`(command: String) throws {
    let (world, user, device) = try served()
    try BusPeer(on: world.bus).does(command)
    // What the bus said is heard before any report.
    try user.send(report)
    #expect(try device.next() == Event.input2 + [64, 0] + report)
    try world.logind.does("lock c1")
    #expect(try device.ends())
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become another user"))
  func `a logind that is neither root nor we is not believed`() throws {
    let world = try HidWorld()
    try world.logind.does("release")
    let impostor = try BusPeer(on: world.bus, as: ["setpriv", "--reuid=65534", "--clear-groups"])
    try impostor.does("at-seat odd \(HidWorld.me)")
    try impostor.does("own")
    let user = try world.connectAndWait()
    try impostor.does("active odd")
    try impostor.does("release")
    try world.logind.does("own")
    try world.seat()
    let (device, _) = try world.device()
    withExtendedLifetime(device) { #expect(user.isQuiet && world.hasNoOther) }
  }

  @Test func `who speaks before there is a device is not heard`() throws {
    let world = try HidWorld()
    let user = try world.connectAndWait()
    try user.send(report)
    #expect(try user.ends())
  }

  // MARK: The process

  @Test func `where nobody is connected it ends, and where the bus goes`() throws {
    let idle = try HidWorld(["--idle-exit", "1"])
    #expect(try idle.service.program.waitForExit() == 0)
    let (world, user, device) = try served()
    try world.bus.end()
    #expect(try device.ends() && user.ends())
    #expect(try world.service.program.waitForExit() == 1)
  }

  @Test func `only a program that has a device takes the option that names one`() throws {
    #expect(throws: BusArguments.Refusal.self) { try BusArguments(parsing: ["--device", "/dev/null"], bus: "") }
    #expect(try BusArguments(parsing: ["--device", "/a"], bus: "", device: "/dev/uhid").device == "/a")
  }
}
