import CBus

#if !hasFeature(Embedded)
  import SignetVocabulary
  import SignetWire
#endif

/// Enrolling and deleting, for which polkit's dialog proves the passcode to signetd.
extension BusService {
  /// A call that changes fingers, until it has come to its end.
  struct Change {
    var course: ChangeCourse
    /// The call, until it is answered.
    var call: OpaquePointer?
    let sender: Sender
    /// What polkit is asked under, while it is.
    var question: UInt32?
  }

  private static let action = BusText("net.reactivated.fprint.device.enroll")

  func startEnrolling(_ number: Int, _ sender: String, _ word: String, _ call: OpaquePointer) throws(BusError) {
    let claim = try devices[number].use.claim(of: sender)
    guard let finger = Finger(name: word) else { throw .badFinger }
    try makeWay(number, for: claim.sender)
    try devices[number].use.begin(.enroll, for: sender)
    let request = AdministrationRequest.enroll(
      user: claim.user, finger, reader: devices[number].description.identifier)
    do throws(BusError) { try change(request, .enroll, number, claim.sender, call) } catch {
      devices[number].use.abandon()
      throw error
    }
  }

  /// `finger`: which; `nil` for all.
  func startDeleting(_ number: Int, _ finger: Finger?, of user: String, for sender: Sender, _ call: OpaquePointer)
    throws(BusError)
  {
    if devices[number].use.action != nil { throw .busy }
    try makeWay(number, for: sender)
    try change(.delete(user: user, finger), .delete, number, sender, call)
  }

  /// Deleting all fingers needs no claim, so that anybody could let polkit's dialog stand for ever: it ends where the claimer wants
  /// something.
  private func makeWay(_ number: Int, for sender: Sender) throws(BusError) {
    guard let change = devices[number].change else { return }
    guard devices[number].use.claim?.sender == sender, change.sender != sender else { throw .busy }
    endChange(number)
  }

  private func change(
    _ request: AdministrationRequest, _ kind: ChangeCourse.Kind, _ number: Int, _ sender: Sender, _ call: OpaquePointer
  ) throws(BusError) {
    guard ask(request, of: sender, for: .change(device: number)) else { throw .crowded }
    devices[number].change = Change(course: ChangeCourse(kind), call: call, sender: sender)
  }

  func takeChange(_ news: PendingQuestion.News, of question: PendingQuestion, _ number: Int) {
    guard var course = devices[number].change?.course else { return forget(question) }
    let steps: [ChangeCourse.Step]
    switch news {
    case .passcodeWanted: steps = course.passcodeWanted()
    case .shown(let prompt, _): steps = course.shown(prompt)
    case .row(.enrollStage(let completed, let all, let retry)): steps = course.stage(completed, of: all, retry)
    case .row: steps = []
    case .done: steps = course.done()
    case .refused(let refusal): steps = course.refused(refusal)
    case .evaluated, .failed: steps = course.failed(.unanswered)
    }
    devices[number].change?.course = course
    take(steps, of: question, number)
  }

  private func take(_ steps: [ChangeCourse.Step], of question: PendingQuestion, _ number: Int) {
    for step in steps {
      switch step {
      case .authorize: authorize(number, question)
      case .answered:
        guard let call = devices[number].change?.call else { continue }
        devices[number].change?.call = nil
        cbus_answer(call)
        if devices[number].use.action == .enroll { setNeeded(true, number) }
      case .refused(let error):
        if let call = devices[number].change?.call { refuse(call, error) }
        devices[number].change?.call = nil
        devices[number].use.abandon()
      case .status(let word, let isDone): tell(CBUS_ENROLL_STATUS, number, word, isDone)
      }
    }
    if devices[number].change?.course.isOver == true { endChange(number) }
  }

  private func authorize(_ number: Int, _ question: PendingQuestion) {
    guard let change = devices[number].change, change.question == nil else { return }
    lastQuestion &+= 1
    devices[number].change?.question = lastQuestion
    let isAsked = cbus_authorize(change.sender.name, BusService.action.pointer, lastQuestion)
    if !isAsked { authorized(lastQuestion, false) }
  }

  /// Polkit has decided; signetd has seen the passcode, or has not.
  func authorized(_ asked: UInt32, _ isAuthorized: Bool) {
    guard let number = devices.firstIndex(where: { $0.change?.question == asked }) else { return }
    devices[number].change?.question = nil
    let question = questions.first { if case .change(number) = $0.purpose { true } else { false } }
    guard let question, var course = devices[number].change?.course else { return }
    if isAuthorized, question.consent() { return }
    let steps = course.failed(.notProved)
    devices[number].change?.course = course
    take(steps, of: question, number)
  }

  /// Nobody waits for it any more, or it is over.
  func endChange(_ number: Int) {
    for question in questions {
      if case .change(number) = question.purpose { forget(question) }
    }
    if let question = devices[number].change?.question { cbus_end_authorization(question) }
    if let call = devices[number].change?.call { refuse(call, BusError(.internal, "It was stopped.")) }
    devices[number].change = nil
    setNeeded(false, number)
  }
}
