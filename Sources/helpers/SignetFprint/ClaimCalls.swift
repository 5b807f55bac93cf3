import CBus

#if !hasFeature(Embedded)
  import SignetClient
  import SignetVocabulary
  import SignetWire
#endif

/// Which fingers there are, and whose turn it is.
extension BusService {
  func takeFinger(_ news: PendingQuestion.News, of question: PendingQuestion, _ call: OpaquePointer, _ number: Int) {
    switch news {
    case .row(.finger(let row)):
      question.keep(row)
      return
    case .row, .shown, .passcodeWanted: return
    case .done: break
    case .refused(let refusal):
      // What could be read stands, whatever else is wrong.
      if question.rows.isEmpty {
        forget(question)
        return refuse(call, BusError(refusal))
      }
    case .evaluated, .failed:
      forget(question)
      return refuse(call, .unanswered)
    }
    forget(question)
    let names = question.rows.filter { $0.reader == devices[number].description.identifier }.map { $0.finger.name }
    if names.isEmpty { return refuse(call, .noFinger) }
    var texts = names.reduce(into: [CChar]()) { all, name in all += name.utf8.map { CChar(bitPattern: $0) } + [0] }
    cbus_answer_texts(call, &texts, names.count)
  }

  func startClaim(_ number: Int, _ sender: String, _ user: String, _ call: OpaquePointer) throws(BusError) {
    try devices[number].use.requireFree()
    // Watched before they are looked for, so that they cannot leave unseen.
    guard let watch = cbus_watch(sender) else { throw .unanswered }
    do throws(BusError) {
      let claim = DeviceUse.Claim(sender: try self.sender(sender), user: user)
      let question = VerifyRequest(user: user, mayInteract: false)
      let purpose = Purpose.claim(call, device: number, claim, watch: watch)
      guard ask(.verify(question), of: claim.sender, for: purpose) else { throw .crowded }
    } catch {
      cbus_unwatch(watch)
      throw error
    }
  }

  func takeClaim(
    _ news: PendingQuestion.News, of question: PendingQuestion, _ call: OpaquePointer, _ number: Int, _ claim: DeviceUse.Claim,
    _ watch: UnsafeMutableRawPointer
  ) {
    let outcome: BusError?
    switch news {
    case .row, .shown, .done, .passcodeWanted: return
    // Nobody may keep the reader from those who sit at it.
    case .evaluated(.biometryNotAvailable): outcome = .notHere
    case .evaluated: outcome = nil
    case .refused(let refusal): outcome = BusError(refusal)
    case .failed: outcome = .unanswered
    }
    forget(question)
    do throws(BusError) {
      if let outcome { throw outcome }
      try devices[number].use.claim(claim)
      devices[number].watch = watch
      cbus_answer(call)
    } catch {
      cbus_unwatch(watch)
      refuse(call, error)
    }
  }

  func left(_ name: String) {
    for question in questions {
      guard case .claim(let call, _, let claim, let watch) = question.purpose, claim.sender.name == name else { continue }
      forget(question)
      cbus_unwatch(watch)
      refuse(call, .unanswered)
    }
    for index in devices.indices where devices[index].use.claim?.sender.name == name { endClaim(index) }
  }

  func endClaim(_ number: Int) {
    endVerification(number)
    endChange(number)
    devices[number].use.end()
    if let watch = devices[number].watch { cbus_unwatch(watch) }
    devices[number].watch = nil
    lastUse = Clock.milliseconds()
  }
}
