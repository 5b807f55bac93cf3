/// The promise that these events break, and the first event at which they do.
func broken(by events: [Event], machine: consuming ModelledMachine = ModelledMachine()) -> (promise: String, at: Int)? {
  var machine = consume machine
  var reference = Reference()
  for (index, event) in events.enumerated() {
    let observation = machine.happen(event)
    if let promise = reference.see(observation, of: event) { return (promise, index) }
  }
  return machine.isShutForGood ? ("the passcode did not open any more, or no finger after it", events.count) : nil
}

/// The fewest of these events, in their order, that still break a promise. Whatever can be left out is left out, in smaller and
/// smaller pieces, until no single event can be.
func shrunk(_ events: [Event], _ isBroken: ([Event]) -> Bool) -> [Event] {
  var events = events
  var size = events.count / 2
  while size > 0 {
    let before = events.count
    var start = 0
    while start < events.count {
      let rest = Array(events[..<start] + events[min(start + size, events.count)...])
      if isBroken(rest) { events = rest } else { start += size }
    }
    // What was left out last may have been all that an earlier event was needed for.
    if size > 1 || events.count == before { size /= 2 }
  }
  return events
}
