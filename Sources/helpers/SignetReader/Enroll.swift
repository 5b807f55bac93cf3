import CFprint

extension ReaderService {
  /// Enrolls a finger. Where templates are loaded and the reader can identify, one more scan comes first and looks for the
  /// finger among them, so that no finger is enrolled twice.
  func enroll(_ operation: UInt32) {
    guard let reader, phase.isOpen else { return refuse(operation, .notOpen, "no reader is open") }
    let searches = reader.has(FP_DEVICE_FEATURE_IDENTIFY) && reader.templates.contains { $0 != nil }
    phase.begin(searches ? .searchingDuplicate : .enrolling, operation: operation)
    finger = FingerWatch()
    if searches { arm(reader) } else { enroll(on: reader) }
  }

  /// Begins to enroll after no loaded template matched. The event makes signetd ask the user for the next touch.
  func enrollUnknownFinger(on reader: OpenReader) {
    phase.go(on: .enrolling)
    if let operation = phase.operation { send(.enrollStage(operation: operation, completed: 0)) }
    enroll(on: reader)
  }

  private func enroll(on reader: OpenReader) {
    let template = Template(bareFor: reader.device)
    withFinger(on: reader) {
      fp_device_enroll(
        reader.device, template.print, makeCancellable(),
        { _, stages, scan, context, error in ReaderService.at(context).enrollProgressed(stages, scan, error) }, context, nil,
        { _, result, context in ReaderService.at(context).enrollFinished(result) }, context)
    }
  }

  private func enrollProgressed(_ stages: gint, _ scan: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
    guard phase.step == .enrolling, let operation = phase.operation else { return }
    stageScanned()
    if let error {
      send(.poorScan(operation: operation, FprintFailure(borrowing: error).retry ?? .general))
    } else if let scan, let retry = retry(after: scan) {
      // libfprint keeps the scan and counts it. It is of no use, so the user is not told that a stage is done.
      send(.poorScan(operation: operation, retry))
    } else {
      send(.enrollStage(operation: operation, completed: UInt8(clamping: stages)))
    }
  }

  private func enrollFinished(_ result: OpaquePointer?) {
    guard let reader, let operation = phase.operation else { return }
    dropCancellable()
    var error: UnsafeMutablePointer<GError>?
    if let print = fp_device_enroll_finish(reader.device, result, &error) {
      fingerCallEnded(nil)
      report(enrolled: Template(owning: print), operation)
    } else {
      let failure = FprintFailure(taking: error)
      fingerCallEnded(failure)
      if phase.answer() != nil { fail(operation, failure) }
    }
    phase.settle(isOpen: true)
    send(.idle(operation: operation))
    advance()
  }

  private func report(enrolled template: Template, _ operation: UInt32) {
    guard phase.answer() != nil else { return }
    guard reader.map({ template.canMatch(on: $0.device) }) ?? false else {
      return fail(operation, .poorTemplate, "too little of the finger was seen to recognise it")
    }
    do {
      send(.enrolled(operation: operation, try template.serialized()))
    } catch {
      fail(operation, error)
    }
  }
}
