import CLinux

/// One descriptor for all that a request waits for, time included: for programs that poll in a main loop of their own.
struct EventSet: ~Copyable {
  /// Readable when there is something to do.
  let descriptor: Int32
  private let timer: Int32
  private var watched: (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)

  init?() {
    let set = epoll_create1(Int32(truncatingIfNeeded: EPOLL_CLOEXEC))
    let timer = timerfd_create(CLOCK_MONOTONIC, Int32(truncatingIfNeeded: TFD_CLOEXEC | TFD_NONBLOCK))
    guard set >= 0, timer >= 0 else {
      if set >= 0 { _ = close(set) }
      if timer >= 0 { _ = close(timer) }
      return nil
    }
    descriptor = set
    self.timer = timer
    add(timer)
  }

  deinit {
    _ = close(timer)
    _ = close(descriptor)
  }

  /// Watches these descriptors, -1 for none, and for so many milliseconds, -1 for ever. Anew each time: a descriptor that was closed is
  /// watched no more, and its number may be another's.
  mutating func watch(_ one: Int32, _ two: Int32, _ three: Int32, _ four: Int32, for pause: Int32) {
    drop(watched.0)
    drop(watched.1)
    drop(watched.2)
    drop(watched.3)
    add(one)
    add(two)
    add(three)
    add(four)
    watched = (one, two, three, four)
    var time = itimerspec()
    if pause >= 0 {
      time.it_value.tv_sec = Int(pause) / 1_000
      // A time of 0 would stop the clock.
      time.it_value.tv_nsec = max(1, Int(pause) % 1_000 &* 1_000_000)
    }
    _ = unsafe timerfd_settime(timer, 0, &time, nil)
  }

  private func add(_ watched: Int32) {
    guard watched >= 0 else { return }
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue
    _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event)
  }

  private func drop(_ watched: Int32) {
    guard watched >= 0 else { return }
    var event = unsafe epoll_event()
    _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
  }
}
