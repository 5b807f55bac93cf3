// SignetReader is the process beside signetd that talks to fingerprint readers. It runs libfprint on one GLib main loop and
// does what the packets of one channel say. It decides nothing and stores nothing: templates come in for one scan, and a
// verdict goes out. Every function runs on the loop's thread, so there is no Swift concurrency here.
import CFprint
import CLinux
import Glibc

/// All that signet-reader does, given its command line. Returns the exit status: 0 when signetd closed the channel, 1 where the
/// channel broke the protocol or the process could not be confined, 2 for a bad command line.
public func runReader(_ words: [String]) -> Int32 {
  let arguments: ReaderArguments
  do {
    arguments = try ReaderArguments(parsing: words)
  } catch {
    log(.error, "usage", error.explanation)
    return 2
  }
  guard CommandChannel.isSuitable(STDIN_FILENO) else {
    log(.error, "usage", "standard input is not the channel that signetd makes: signet-reader is started by signetd")
    return 2
  }
  do {
    try confine(to: arguments.user, keepsDumpable: arguments.emulation)
    prepareEnvironment(arguments)
    prepareMemory()
    redirectLibraryLog()
    redirectUSBLog()
    try forbidOtherSystemCalls()
  } catch {
    log(.error, "confinement", error.explanation)
    return 1
  }
  return CommandLoop(channel: CommandChannel(descriptor: STDIN_FILENO)).run()
}
