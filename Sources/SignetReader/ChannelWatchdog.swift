import CLinux
import Glibc

/// Ends the process, with status 1, a second after the other end of the channel is gone, even where a driver blocks the loop, so that no
/// reader outlives signetd. Not by `PR_SET_PDEATHSIG`: that fires when the thread of signetd ends that started us.
func leaveWithChannel(_ descriptor: Int32) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 64 * 1024)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let error = pthread_create(
    &thread, &attributes,
    { descriptor in
      // No events asked for: only the hang-up is reported.
      var end = pollfd(fd: Int32(Int(bitPattern: descriptor)), events: 0, revents: 0)
      while poll(&end, 1, -1) <= 0 {}
      _ = poll(nil, 0, 1000)
      log(.warning, "channel", "the reader did not close in time")
      _exit(1)
    }, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
  if error != 0 { log(.warning, "channel", "no watchdog: \(String(cString: strerror(error)))") }
}
