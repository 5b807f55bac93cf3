import CLinux
import Glibc

/// Ends the process with status 1 one second after signetd's end of the channel is closed, even while a driver blocks the loop,
/// so that no reader process outlives signetd. `PR_SET_PDEATHSIG` would not do: it fires as soon as the thread of signetd that
/// started this process ends.
func leaveWithChannel(_ descriptor: Int32) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 64 * 1024)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let error = pthread_create(
    &thread, &attributes,
    { descriptor in
      // With no events asked for, poll(2) only returns at the hang-up.
      var end = pollfd(fd: Int32(Int(bitPattern: descriptor)), events: 0, revents: 0)
      while poll(&end, 1, -1) <= 0 {}
      _ = poll(nil, 0, 1000)
      log(.warning, "channel", "the reader did not close in time")
      _exit(1)
    }, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
  if error != 0 { log(.warning, "channel", "no watchdog: \(String(cString: strerror(error)))") }
}
