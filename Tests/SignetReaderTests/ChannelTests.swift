import Glibc
import SignetTestKit
import Testing

/// What signet-reader makes of its channel, its command line and its environment.
@Suite struct ChannelTests {
  @Test func `it leaves when the channel ends before anything was asked`() throws {
    try ReaderChannel().finish()
  }

  @Test func `it leaves when the channel ends while a reader is open`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.open(reader)
    try channel.finish()
  }

  @Test(arguments: [VirtualReader.Kind.device, .storage, .image])
  func `it leaves when the channel ends in the middle of enrolling`(kind: VirtualReader.Kind) throws {
    let reader = try VirtualReader(kind)
    let channel = try ReaderChannel(reader.arguments)
    try channel.open(reader)
    try channel.send(.enroll(operation: 2))
    #expect(try channel.next() == .armed(operation: 2))
    try channel.finish()
  }

  @Test func `it leaves when the channel ends while a reader opens`() throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    try channel.send(.open(operation: 1, reader: reader.identifier))
    try channel.finish()
  }

  @Test func `it leaves when the channel ends in the middle of a scan`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    try channel.load([channel.enroll("alice", on: reader)])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try channel.finish()
  }

  @Test func `it leaves when the channel ends even where the reader hangs`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments, standardError: .discarded)
    try channel.open(reader)
    // The driver takes a minute to close.
    try reader.command("SLEEP 60000")
    channel.closeChannel()
    #expect(try channel.waitForExit() == 1)
  }

  @Test(
    arguments: [
      [], [0], [1], [1, 1], [2, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [1, 11, 0, 0, 0, 0], [1, 255, 1, 0, 0, 0],
      [1, 1, 1, 0, 0, 0, 9], [1, 2, 1, 0, 0, 0, 200, 0], [1, 3, 1, 0, 0, 0, 0, 0, 0, 0],
      [1, 3, 1, 0, 0, 0, 255, 255, 255, 255], [1, 2, 1, 0, 0, 0, 1, 0, 0xff],
    ] as [[UInt8]])
  func `a packet that is no command ends it with an error`(packet: [UInt8]) throws {
    let channel = try ReaderChannel(["--virtual-reader", "device=/tmp/unused"], standardError: .discarded)
    // An empty packet looks like the channel's end.
    let status: Int32 = packet.isEmpty ? 0 : 1
    try channel.send(raw: packet)
    #expect(try channel.waitForExit() == status)
  }

  @Test func `random packets never crash it`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let channel = try ReaderChannel(["--virtual-reader", "device=/tmp/unused"], standardError: .discarded)
      let count = Int.random(in: 1...64, using: &random)
      var packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      packet[0] = 1
      try channel.send(raw: packet)
      channel.closeChannel()
      let status = try channel.waitForExit()
      #expect(status == 0 || status == 1, "\(packet)")
    }
  }

  @Test(arguments: [
    ["--user"], ["--user", ""], ["--virtual-reader"], ["--virtual-reader", "device"], ["--virtual-reader", "usb=/tmp/x"],
    ["--virtual-reader", "device=relative"], ["--virtual-reader", "image=/a", "--virtual-reader", "image=/b"],
    ["--frobnicate"], ["something"],
  ])
  func `a command line it does not know is refused`(arguments: [String]) throws {
    #expect(try ReaderChannel(arguments, standardError: .discarded).waitForExit() == 2)
  }

  @Test func `a user that does not exist is refused`() throws {
    #expect(try ReaderChannel(["--user", "no-such-user-here"], standardError: .discarded).waitForExit() == 1)
  }

  @Test func `its environment cannot name a fake reader`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(environment: [
      "FP_VIRTUAL_DEVICE=\(reader.path)", "FP_VIRTUAL_DEVICE_STORAGE=\(reader.path)", "FP_VIRTUAL_IMAGE=\(reader.path)",
    ])
    try channel.send(.list(operation: 1))
    while case .reader(1, let description) = try channel.next() {
      #expect(!description.driver.hasPrefix("virtual"), "\(description)")
    }
    try channel.finish()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `it runs as the user it is told to, and cannot be traced or gain rights`() throws {
    let channel = try ReaderChannel(["--user", "nobody"])
    try channel.send(.list(operation: 1))
    while try channel.next() != .listed(operation: 1) {}
    let status = try RawFile.text("/proc/\(channel.pid)/status")
    #expect(status.contains("Uid:\t65534\t65534\t65534\t65534"))
    #expect(status.contains("Gid:\t65534\t65534\t65534\t65534"))
    #expect(status.contains("Groups:\t65534 \n"))
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("CapEff:\t0000000000000000"))
    // The files of a process that cannot be traced belong to root.
    var owner = stat()
    #expect(stat("/proc/\(channel.pid)/environ", &owner) == 0)
    #expect(owner.st_uid == 0)
    #expect(try RawFile.text("/proc/\(channel.pid)/limits").contains("Max core file size        0                    0"))
    try channel.finish()
  }
}
