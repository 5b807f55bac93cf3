import Glibc
import SignetTestKit
import Testing

@testable import DaemonService

@Suite struct ChildProcessTests {
  @Test func `a helper begins with no signal blocked or ignored, whatever signetd does with its own`() throws {
    // Numbers that nothing else in this process uses.
    let (ignored, blocked) = (Int32(40), Int32(41))
    signal(ignored, SIG_IGN)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, blocked)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    defer {
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      signal(ignored, SIG_DFL)
    }
    let child = try ChildProcess(
      path: "/bin/sh", arguments: ["-c", "exec grep -E '^Sig(Blk|Ign)' /proc/self/status >&0"])
    var ready = pollfd(fd: child.channel.raw, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, waitingLimit) == 1)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = recv(child.channel.raw, &bytes, bytes.count, 0)
    let masks = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map { line in
      UInt64(line.split(separator: "\t")[1], radix: 16) ?? .max
    }
    // 32 and 33 are the C library's own, which no program can set.
    #expect(masks.map { $0 & ~(3 << 31) } == [0, 0])
  }
}
