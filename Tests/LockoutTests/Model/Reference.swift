/// What a user is promised of strikes, in ten lines; of passcodes, see `Guesses`. It knows no clock, no disk and no reader: only what was seen.
struct Reference {
  /// Misses in a row, whatever came between them.
  private(set) var misses = 0
  /// Cancels in a row that may have hidden a miss.
  private var unseen = 0
  /// Whether only the passcode, or root, may make the reader scan again, whatever time it is.
  private var isLatched = false

  /// Hours without an unlock, for certain; a memory that was put back says nothing about them.
  private var idleHours: Int? = 0
  private var guesses = Guesses()
  private var isLocked: Bool { isLatched || idleHours ?? 0 >= 48 }

  /// The promise that what was seen breaks; `nil` where it keeps them all.
  mutating func see(_ observation: ModelledMachine.Observation, of event: Event) -> String? {
    if observation == .armed, isLocked { return "the reader was armed while only the passcode may go on" }
    if observation == .releasedByFinger, isLocked { return "a finger opened what only the passcode may open" }
    if observation == .missed { misses += 1 }
    if misses > 5 { return "the reader gave a sixth verdict in a row" }
    if observation == .unseen { unseen += 1 }
    if unseen > 3 * 5 { return "cancels bought more than three looks for each strike" }
    if observation == .releasedByFinger || observation == .releasedByPasscode { (misses, unseen, idleHours) = (0, 0, 0) }
    if observation == .releasedByPasscode { isLatched = false }
    idleHours = event == .restoreMemory ? nil : idleHours.map { $0 + event.hours }
    if misses == 5 || [.lock, .reboot, .tearRecord].contains(event) { isLatched = true }
    if event == .reset { (misses, unseen, isLatched) = (0, 0, false) }
    return guesses.see(observation, of: event)
  }
}

extension Event {
  /// How long it takes on every clock that nobody sets.
  fileprivate var hours: Int { self == .sleepTwoDays ? 48 : self == .sleepAnHour ? 1 : 0 }
}
