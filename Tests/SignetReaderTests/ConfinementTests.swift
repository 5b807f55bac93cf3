import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What a reader process cannot do, whoever has taken it over.
@Suite struct ConfinementTests {
  @Test func `a process that is confined so starts nothing, reaches nobody and gains nothing`() throws {
    let words = try Program.output([ReaderChannel.program("confined")])
    let answers = words.split(separator: "\n").map { $0.split(separator: ": ").map(String.init) }
    let allowed = answers.filter { $0[1] == "allowed" }.map { $0[0] }
    #expect(allowed == ["a Unix socket", "a netlink socket", "its own signal", "memory"])
    #expect(answers.count >= 30)
    let refusals: Set = ["ENOSYS", "EPERM", "EAFNOSUPPORT"]
    #expect(answers.allSatisfy { $0[1] == "allowed" || refusals.contains($0[1]) }, "\(answers)")
  }

  @Test func `signet-reader is confined before it does anything`() throws {
    let channel = try ReaderChannel()
    try channel.send(.list(operation: 1))
    while try channel.next() != .listed(operation: 1) {}
    // SECCOMP_MODE_FILTER
    for task in try tasks(of: channel.pid) {
      #expect(try RawFile.text("/proc/\(channel.pid)/task/\(task)/status").contains("Seccomp:\t2"))
    }
    #expect(try RawFile.text("/proc/\(channel.pid)/limits").contains("Max data size             268435456            268435456"))
    try channel.finish()
  }

  @Test func `a picture that needs more memory than there may be ends the process, and is no match`() throws {
    let reader = try VirtualReader(.image)
    let finger = SyntheticFinger(seed: 1)
    let usual = try ReaderChannel(reader.arguments)
    try usual.open(reader)
    let template = try usual.enroll(finger, on: reader)
    try usual.finish()
    reader.disconnect()
    // Enough to open the reader, and no more than a few megabytes for pictures.
    let channel = try ReaderChannel(reader.arguments, launcher: ["prlimit", "--data=100000000"], standardError: .discarded)
    try channel.open(reader)
    try channel.load([template])
    try channel.send(.identify(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    // The process may end before it has taken the whole picture.
    try? reader.present(PrintImage(width: 5000, height: 5000, pixels: [UInt8](repeating: 255, count: 25_000_000)))
    #expect(throws: TestKitError.self) { try channel.next() }
    #expect(try channel.waitForExit() != 0)
  }

  private func tasks(of pid: pid_t) throws -> [String] {
    guard let folder = opendir("/proc/\(pid)/task") else { throw TestKitError("no tasks of \(pid)") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.first?.isNumber == true { names.append(name) }
    }
    return names
  }
}
