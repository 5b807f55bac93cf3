import CPAM
import Glibc
import SignetTestKit

/// `pam-host guess SECONDS READER SERVICE CONFDIR USER [SEED]`: logs in again and again, as fast as it can, with fingers that
/// are not the user's and without the passcode. With a seed it also pulls the plug, scans badly, makes the reader fail and
/// cancels. Prints how often it tried and how often it got in.
func guess(_ words: [String]) throws {
  let end = PAMHost.microseconds() + (Int64(words[0]) ?? 1) * 1_000_000
  var random = words.count > 5 ? UInt64(words[5]).map { SeededGenerator(seed: $0) } : nil
  // Ctrl-C cancels where the host ignores it too, and the host goes on.
  signal(SIGINT, SIG_IGN)
  var (attempts, successes) = (0, 0)
  while PAMHost.microseconds() < end {
    let host = try PAMHost(service: words[2], user: words[4], confdir: words[3])
    host.onMessage = { _, message in
      guard message.text.asksForFinger else { return }
      attack(words[1], &random)
    }
    attempts += 1
    if host.authenticate() == PAM_SUCCESS { successes += 1 }
  }
  emit("{\"step\":\"attempts\",\"code\":\(attempts)}")
  emit("{\"step\":\"successes\",\"code\":\(successes)}")
}

private func attack(_ reader: String, _ random: inout SeededGenerator?) {
  let tricks = ["SCAN wrong", "SCAN wrong", "SCAN wrong", "RETRY 0", "ERROR 0", "UNPLUG"]
  let trick = random?.next(upTo: tricks.count) ?? 0
  let fingers = Fingers([(reader, tricks[trick])])
  fingers.present()
  if random?.next(upTo: 4) == 0 { kill(getpid(), SIGINT) }
}

extension SeededGenerator {
  fileprivate mutating func next(upTo bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
