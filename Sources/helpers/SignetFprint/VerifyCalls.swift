import CBus
import CLinux

#if !hasFeature(Embedded)
  import SignetVocabulary
  import SignetWire
#endif

extension BusService {
  /// VerifyStart: an evaluation of signetd, one touch long.
  func startVerification(_ number: Int, _ sender: String, _ word: String, _ call: OpaquePointer) throws(BusError) {
    let isAny = word.isEmpty || word == "any"
    let finger = Finger(name: word)
    let claim = try devices[number].use.claim(of: sender)
    guard isAny || finger != nil else { throw .badFinger }
    try devices[number].use.begin(.verify, for: sender)
    let request = VerifyRequest(
      user: claim.user, finger: finger, reader: devices[number].description.identifier, timeout: BusService.touchTimeout)
    devices[number].verification = Verification(call: call, finger: isAny ? "any" : word)
    guard ask(.verify(request), of: claim.sender, for: .verification(device: number, request, claim.sender)) else {
      devices[number].verification = nil
      devices[number].use.abandon()
      throw .crowded
    }
  }

  func takeTouch(
    _ news: PendingQuestion.News, of question: PendingQuestion, _ number: Int, _ request: VerifyRequest, _ sender: Sender
  ) {
    guard var course = devices[number].verification?.course else { return forget(question) }
    let steps: [VerifyCourse.Step]
    switch news {
    case .shown(let prompt, let value):
      // Of any the reader may take one at a time.
      if prompt == .touchReader, let named = Finger(rawValue: TouchForm.finger(in: value)) {
        devices[number].verification?.finger = named.name
      }
      steps = course.shown(prompt, value)
    case .evaluated(let verdict):
      forget(question)
      steps = course.ended(verdict)
    case .refused(let refusal):
      forget(question)
      steps = course.failed(BusError(refusal))
    case .failed:
      forget(question)
      steps = course.failed(.unanswered)
    case .row, .done, .passcodeWanted: steps = []
    }
    devices[number].verification?.course = course
    // Whose touch is over needs the reader no more; the miss is counted already.
    if course.isOver { forget(question) }
    for step in steps { take(step, number, request, sender) }
  }

  private func take(_ step: VerifyCourse.Step, _ number: Int, _ request: VerifyRequest, _ sender: Sender) {
    switch step {
    case .started:
      guard let call = devices[number].verification?.call else { return }
      devices[number].verification?.call = nil
      cbus_answer(call)
      setNeeded(true, number)
      cbus_tell_selected(UInt32(number), sender.name, devices[number].verification?.finger ?? "any")
    case .refused(let error):
      guard let call = devices[number].verification?.call else { return }
      devices[number].verification = nil
      devices[number].use.abandon()
      refuse(call, error)
    case .status(let word, let isDone): tell(CBUS_VERIFY_STATUS, number, word, isDone)
    case .again:
      guard !ask(.verify(request), of: sender, for: .verification(device: number, request, sender)) else { return }
      guard var course = devices[number].verification?.course else { return }
      let steps = course.failed(.crowded)
      devices[number].verification?.course = course
      for step in steps { take(step, number, request, sender) }
    }
  }

  /// Nobody waits for it any more: signetd is told by the end of the connection.
  func endVerification(_ number: Int) {
    for question in questions {
      if case .verification(number, _, _) = question.purpose { forget(question) }
    }
    if let call = devices[number].verification?.call { refuse(call, BusError(.internal, "It was stopped.")) }
    devices[number].verification = nil
    setNeeded(false, number)
  }

  func tell(_ signal: cbus_signal, _ number: Int, _ word: StatusWord, _ isDone: Bool) {
    guard let claim = devices[number].use.claim else { return }
    // First, because somebody waits for it; and the bus before us, where it was woken on this processor.
    cbus_tell(signal, UInt32(number), claim.sender.name, BusText(word.text).pointer, isDone)
    sched_yield()
    if isDone { setNeeded(false, number) }
  }

  func setNeeded(_ isNeeded: Bool, _ number: Int) {
    guard devices[number].isNeeded != isNeeded else { return }
    devices[number].isNeeded = isNeeded
    cbus_tell_needed(UInt32(number))
  }
}
