// SignetReader is the process beside signetd that talks to fingerprint readers: libfprint on one GLib main loop, driven by
// the packets of one channel. It decides nothing and keeps nothing: templates come in for one scan, and a verdict goes out.
// No Swift concurrency here: every function runs on the thread that runs the loop.
import CFprint
import CLinux
import Glibc

/// The whole of signet-reader, with its command line. Returns the status to exit with: 0 at the channel's end, 1 where the
/// channel broke the protocol or the process could not be confined, 2 for a bad command line.
public func runReader(_ words: [String]) -> Int32 {
  let arguments: ReaderArguments
  do {
    arguments = try ReaderArguments(parsing: words)
  } catch {
    log(.error, "usage", error.explanation)
    return 2
  }
  guard Channel.isSuitable(STDIN_FILENO) else {
    log(.error, "usage", "standard input is not the channel that signetd makes: signet-reader is started by signetd")
    return 2
  }
  do {
    try confine(to: arguments.user, keepsDumpable: arguments.emulation)
  } catch {
    log(.error, "confinement", error.explanation)
    return 1
  }
  prepareEnvironment(arguments)
  prepareMemory()
  redirectLibraryLog()
  return ReaderService(channel: Channel(descriptor: STDIN_FILENO)).run()
}
