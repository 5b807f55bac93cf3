import CFprint

// The events about the finger: `armed`, `finger` and `fingerOff`.
extension ReaderService {
  /// How long a call may run until a driver that has not said that it needs a finger is taken for one that never says it, as
  /// ELAN's, in milliseconds. Recorded readers that do say it take up to 200 ms.
  private static let fingerNeededTimeout: guint = 250

  /// Runs a libfprint call that needs a finger.
  func withFinger(on reader: OpenReader, _ call: () -> Void) {
    tell(finger.callBegins(FingerStatus(of: reader.device)))
    call()
    tell(finger.callRuns())
    // For image readers libfprint itself says it, however long the driver takes to activate.
    if fingerNeededTimer == 0, !isImageReader(reader.device) {
      fingerNeededTimer = g_timeout_add(
        ReaderService.fingerNeededTimeout,
        { context in
          let service = ReaderService.at(context)
          service.fingerNeededTimer = 0
          service.tell(service.finger.waitedLong())
          return 0
        }, context)
    }
  }

  /// Notes that the call has ended, before anything is said about its end.
  func fingerCallEnded(_ failure: FprintFailure?) {
    if fingerNeededTimer != 0 { g_source_remove(fingerNeededTimer) }
    fingerNeededTimer = 0
    // The call of an image reader ends well only after its driver has seen the finger lifted.
    let waitsForLift = failure == nil && !phase.isCancelled && reader.map { isImageReader($0.device) } ?? false
    tell(finger.callEnded(waitsForLift: waitsForLift))
  }

  /// Notes that a stage of an enrolling was scanned, before anything is said about it.
  func stageScanned() { tell(finger.scanned()) }

  func watchFinger(of device: UnsafeMutablePointer<FpDevice>) {
    fingerHandler = cfprint_on_notify_finger_status(
      device, { device, _, context in ReaderService.at(context).fingerStatusChanged(device) }, context)
  }

  private func fingerStatusChanged(_ device: UnsafeMutablePointer<FpDevice>) {
    guard phase.needsFinger else { return }
    tell(finger.changed(to: FingerStatus(of: device)))
    guard finger.isOffDoubtful else { return }
    // Idle work comes after the end of a call, which libfprint reports with a higher priority.
    g_idle_add(
      { context in
        let service = ReaderService.at(context)
        service.tell(service.finger.loopWentOn())
        return 0
      }, context)
  }

  private func tell(_ words: [FingerWatch.Word]) {
    guard let operation = phase.operation else { return }
    for word in words {
      switch word {
      // After the verdict or a cancel, nobody is to be asked for a finger.
      case .armed: if !phase.isAnswered, !phase.isCancelled { send(.armed(operation: operation)) }
      case .finger: send(.finger(operation: operation))
      case .fingerOff: send(.fingerOff(operation: operation))
      }
    }
  }
}
