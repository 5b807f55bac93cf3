import Glibc
import SignetClient

/// A TPM of the test's own (swtpm), on a socket in its own folder. Ended and removed when the object goes.
public final class SoftwareTPM {
  private let folder: String
  private var process: Program?

  /// What `signetd --tpm` takes.
  public var transport: String { "swtpm:path=\(folder)/tpm" }

  public init() throws {
    folder = try makeTemporaryFolder("tpm")
    try start()
  }

  deinit {
    process = nil
    removeTree(folder)
  }

  /// Switches it on, as the machine does that starts. Its registers are new then, and what it keeps is still there.
  public func start() throws {
    for name in ["tpm", "tpm.ctrl"] { unlink("\(folder)/\(name)") }
    let lines = try Lines()
    process = try Program(
      [
        "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(folder)/tpm", "--ctrl",
        "type=unixio,path=\(folder)/tpm.ctrl", "--flags", "not-need-init,startup-clear",
      ], environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"], descriptors: [1: lines.writer, 2: lines.writer])
    let deadline = Clock.milliseconds() + Int64(waitingLimit)
    while !isListening(at: "\(folder)/tpm") || !isListening(at: "\(folder)/tpm.ctrl") {
      guard Clock.milliseconds() < deadline else { throw TestKitError("swtpm does not start: \(lines.text)") }
      pauseBeforeNextLook()
    }
  }

  /// Switches it off: whoever asks finds none.
  public func stop() {
    process = nil
    for name in ["tpm", "tpm.ctrl"] { unlink("\(folder)/\(name)") }
  }

  /// Puts another one in its place, which knows nothing of what this one sealed.
  public func replace() throws {
    stop()
    unlink("\(folder)/tpm2-00.permall")
    try start()
  }

  public func restart() throws {
    stop()
    try start()
  }

  /// Another firmware, or another Secure Boot key, measures something else into this register.
  public func extend(_ register: Int) throws {
    try tool("tpm2_pcrextend", "\(register):sha256=" + String(repeating: "5a", count: 32))
  }

  /// What "clear TPM" in the firmware's settings does.
  public func clear() throws { try tool("tpm2_clear", "-c", "p") }

  /// Forgets its counters, as whoever may use the owner's hierarchy can have it do.
  public func forgetCounters() throws {
    for line in try tool("tpm2_getcap", "handles-nv-index").split(separator: "\n") where line.hasPrefix("- 0x") {
      try tool("tpm2_nvundefine", String(line.dropFirst(2)))
    }
  }

  /// Takes all the memory for what it keeps, so that it lets no counter be made. Room for a few counters is not given to others.
  public func fillMemory() throws {
    var index = 0x190_0000
    for attributes in [["-s", "2048"], ["-s", "64"], ["-s", "1"], ["-a", "nt=counter|authread|authwrite"]] {
      repeat { index += 1 } while (try? tool(["tpm2_nvdefine", "0x\(String(index, radix: 16))"] + attributes)) != nil
    }
  }

  /// All that it keeps, for `putBack`: what a snapshot of a virtual machine has.
  public func snapshot() throws -> [UInt8] {
    stop()
    defer { try? start() }
    return try RawFile.read("\(folder)/tpm2-00.permall")
  }

  public func putBack(_ snapshot: [UInt8]) throws {
    stop()
    try RawFile.overwrite("\(folder)/tpm2-00.permall", snapshot)
    try start()
  }

  /// Stops it in the middle: it takes what is sent and does not answer.
  public func freeze() { process?.signal(SIGSTOP) }

  public func thaw() { process?.signal(SIGCONT) }

  @discardableResult
  private func tool(_ words: String...) throws -> String { try tool(words) }

  private func tool(_ words: [String]) throws -> String {
    try Program.output(
      words, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TPM2TOOLS_TCTI=\(transport)", "TSS2_LOG=all+NONE"])
  }
}

/// Whether somebody takes connections at this socket: it has its name a moment earlier. See /proc/net/unix in proc_pid_net(5); the flag is
/// the kernel's `__SO_ACCEPTCON`. Connecting would take swtpm's only place.
private func isListening(at path: String) -> Bool {
  guard let lines = try? RawFile.text("/proc/net/unix") else { return false }
  return lines.split(separator: "\n").contains { line in
    let fields = line.split(separator: " ")
    return fields.count == 8 && fields[3] == "00010000" && fields[7] == path
  }
}
