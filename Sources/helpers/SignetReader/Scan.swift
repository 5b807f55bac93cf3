import CFprint
import Glibc
import SignetVocabulary
import SignetWire

extension ReaderService {
  /// Arms the reader once. It identifies the finger among the loaded templates (1:N), or verifies it against one where there is
  /// only one, or where the driver cannot identify.
  func identify(_ operation: UInt32) {
    guard let reader, phase.isOpen else { return refuse(operation, .notOpen, "no reader is open") }
    guard reader.identifies ? reader.templates.contains(where: { $0 != nil }) : reader.compared != nil else {
      return refuse(operation, .unusableTemplate, "no usable template is loaded")
    }
    phase.begin(.identifying, operation: operation)
    finger = FingerWatch()
    arm(reader)
  }

  /// Answers an operation that cannot even begin.
  func refuse(_ operation: UInt32, _ failure: ReaderFailure, _ explanation: String) {
    fail(operation, failure, explanation)
    send(.idle(operation: operation))
  }

  /// Answers the cancel of a scan at once where it is certain that nothing was compared, however long the driver takes to end.
  ///
  /// With an image reader libfprint compares only an image that `fpi_image_device_image_captured` took, and takes one only in a state that
  /// its driver reaches by saying that a finger is present. It notifies of that before it changes the state, and the notification is
  /// told to signetd before it returns, on this thread. So where none was told, none was compared; and an image that comes after this
  /// answer has no verdict that is told, because an operation is answered once. Of a chip that compares by itself nobody knows that order.
  func answerCancel(_ operation: UInt32) {
    guard phase.step == .identifying, !finger.wasSeen, let reader, isImageReader(reader.device), phase.answer() != nil
    else { return }
    fail(operation, .cancelled, "cancelled before a finger was seen")
  }

  /// Whether the driver tells of a finger before it is compared. One that is not known to is taken for silent.
  private var tellsFinger: Bool {
    guard let device = reader?.device else { return false }
    return isImageReader(device) || ReaderDescription.tellingDrivers.contains(String(cString: fp_device_get_driver(device)))
  }

  func arm(_ reader: OpenReader) {
    sawTooLittle = false
    withFinger(on: reader) { look(with: reader) }
  }

  private func look(with reader: OpenReader) {
    if reader.identifies {
      let gallery = g_ptr_array_new_with_free_func { g_object_unref($0) }!
      for template in reader.templates.compactMap({ $0 }) {
        g_ptr_array_add(gallery, g_object_ref(UnsafeMutableRawPointer(template.print)))
      }
      fp_device_identify(
        reader.device, gallery, makeCancellable(), matchReported, context, nil,
        { _, result, context in ReaderService.at(context).scanFinished(result, isIdentify: true) }, context)
      g_ptr_array_unref(gallery)
    } else if let compared = reader.compared {
      fp_device_verify(
        reader.device, compared.print, makeCancellable(), matchReported, context, nil,
        { _, result, context in ReaderService.at(context).scanFinished(result, isIdentify: false) }, context)
    }
  }

  /// Reports the verdict as soon as libfprint has it. Until its call ends, an image reader takes another 100 ms.
  fileprivate func report(match: OpaquePointer?, scan: OpaquePointer?, error: UnsafeMutablePointer<GError>?) {
    guard phase.step == .identifying || phase.step == .searchingDuplicate else { return }
    if let error {
      guard let retry = FprintFailure(borrowing: error).retry else { return }
      reportPoorScan(retry)
    } else if let match {
      reportMatch(match)
    } else if let scan, let retry = retry(after: scan) {
      sawTooLittle = true
      reportPoorScan(retry)
    } else if phase.step == .identifying, let operation = phase.answer() {
      tell(.miss(operation: operation))
    }
  }

  /// Tells a verdict. signetd goes first where it was woken on this processor: for what libfprint still does nobody waits.
  private func tell(_ verdict: ReaderEvent) {
    send(verdict)
    sched_yield()
  }

  /// How to touch the reader so that it sees more of the finger; `nil` where this scan showed enough of it to match.
  func retry(after scan: OpaquePointer) -> ScanRetry? {
    guard let reader, !Template(sharing: scan).canMatch(on: reader.device) else { return nil }
    return fp_device_get_scan_type(reader.device) == FP_SCAN_TYPE_SWIPE ? .tooShort : .centerFinger
  }

  private func reportPoorScan(_ retry: ScanRetry) {
    if phase.step == .searchingDuplicate {
      guard let operation = phase.operation else { return }
      send(.poorScan(operation: operation, retry))
    } else if let operation = phase.answer() {
      send(.poorScan(operation: operation, retry))
    }
  }

  private func reportMatch(_ match: OpaquePointer) {
    let isDuplicate = phase.step == .searchingDuplicate
    guard let operation = phase.answer() else { return }
    guard let index = reader?.index(of: match) else {
      return fail(operation, .other, "the driver matched a template that is not loaded")
    }
    tell(.match(operation: operation, index: index))
    if isDuplicate { fail(operation, .duplicate, "this finger is enrolled already") }
  }

  private func scanFinished(_ result: OpaquePointer?, isIdentify: Bool) {
    guard let reader, let operation = phase.operation else { return }
    dropCancellable()
    let failure = finishScan(reader, result, isIdentify)
    fingerCallEnded(failure)
    let isSearch = phase.step == .searchingDuplicate
    if isSearch, failure == nil || failure?.retry != nil, !phase.isAnswered, !phase.isCancelled {
      return failure == nil && !sawTooLittle ? enrollUnknownFinger(on: reader) : arm(reader)
    }
    conclude(operation, failure, isSearch)
    phase.settle(isOpen: true)
    send(.idle(operation: operation))
    advance()
  }

  /// Answers an operation whose libfprint call ended without a verdict.
  private func conclude(_ operation: UInt32, _ failure: FprintFailure?, _ isSearch: Bool) {
    guard phase.answer() != nil else {
      if let failure, failure.retry == nil, failure.failure != .cancelled {
        log(.notice, "reader", "after the verdict: \(failure.message)")
      }
      return
    }
    if isSearch, failure == nil || failure?.retry != nil {
      fail(operation, .cancelled, "cancelled")
    } else if let retry = failure?.retry {
      send(.poorScan(operation: operation, retry))
    } else if failure?.failure == .cancelled, !isSearch, !tellsFinger {
      fail(operation, .cancelledUnseen, "cancelled, and the driver tells of no finger")
    } else if let failure {
      fail(operation, failure)
    } else {
      fail(operation, .other, "the driver gave no verdict")
    }
  }

  private func finishScan(_ reader: OpenReader, _ result: OpaquePointer?, _ isIdentify: Bool) -> FprintFailure? {
    var error: UnsafeMutablePointer<GError>?
    let isDone =
      isIdentify
      ? fp_device_identify_finish(reader.device, result, nil, nil, &error)
      : fp_device_verify_finish(reader.device, result, nil, nil, &error)
    return isDone != 0 ? nil : FprintFailure(taking: error)
  }
}

private let matchReported: FpMatchCb = { _, match, scan, context, error in
  ReaderService.at(context).report(match: match, scan: scan, error: error)
}
