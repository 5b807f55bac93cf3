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
    if devices[number].use.claim?.sender.name == sender { throw .otherClaim }
    // Watched before they are looked for, so that they cannot leave unseen.
    guard let watch = cbus_watch(sender) else { throw .unanswered }
    do throws(BusError) {
      let claim = DeviceUse.Claim(sender: try self.sender(sender), user: user)
      try askWhetherHere(claim, for: .claim(call, device: number, claim, watch: watch))
    } catch {
      cbus_unwatch(watch)
      throw error
    }
  }

  /// `payer`: at whose cost, where that is another's than the claimer's.
  private func askWhetherHere(_ claim: DeviceUse.Claim, payer: UInt32? = nil, for purpose: Purpose) throws(BusError) {
    let question = VerifyRequest(user: claim.user, mayInteract: false)
    guard ask(.verify(question), of: claim.sender, payer: payer, for: purpose) else { throw .crowded }
  }

  /// `holder`: who has the device, and was asked about; `nil` where it was the one who claims it.
  func takeClaim(
    _ news: PendingQuestion.News, of question: PendingQuestion, _ call: OpaquePointer, _ number: Int, _ claim: DeviceUse.Claim,
    _ watch: UnsafeMutableRawPointer, holder: DeviceUse.Claim? = nil
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
      if let holder {
        if outcome == .notHere, devices[number].use.claim == holder { takeAway(number) }
      } else {
        if let outcome { throw outcome }
        // A claim lasts when its session goes to the background, until somebody who is here wants the device.
        if let holder = devices[number].use.claim {
          let purpose = Purpose.claim(call, device: number, claim, watch: watch, holder: holder)
          return try askWhetherHere(holder, payer: claim.sender.identity.uid, for: purpose)
        }
      }
      try devices[number].use.claim(claim)
      devices[number].watch = watch
      cbus_answer(call)
    } catch {
      cbus_unwatch(watch)
      refuse(call, error)
    }
  }

  /// Who has the device is not at the reader any more, and somebody who is wants it.
  private func takeAway(_ number: Int) {
    if let verification = devices[number].verification, verification.call == nil, !verification.course.isOver {
      tell(CBUS_VERIFY_STATUS, number, .unknownError, true)
    }
    if let change = devices[number].change, change.call == nil { tell(CBUS_ENROLL_STATUS, number, .unknownError, true) }
    endClaim(number)
  }

  func left(_ name: String) {
    for question in questions {
      guard case .claim(let call, _, let claim, let watch, _) = question.purpose, claim.sender.name == name else { continue }
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
