import CFprint
import SignetWire

// Prints that a match-on-chip reader stores itself.
extension ReaderService {
  func delete(_ operation: UInt32, _ template: ClearTemplate) {
    guard let reader, phase.isOpen else { return fail(operation, .notOpen, "no reader is open") }
    do {
      let template = try Template(parsing: template, for: reader.device)
      phase.begin(.deleting, operation: operation)
      delete(template.print, on: reader)
    } catch {
      fail(operation, error)
    }
  }

  private func delete(_ print: OpaquePointer, on reader: OpenReader) {
    fp_device_delete_print(
      reader.device, print, makeCancellable(),
      { _, result, context in ReaderService.at(context).deletingFinished(result) }, context)
  }

  private func deletingFinished(_ result: OpaquePointer?) {
    guard let reader else { return }
    var error: UnsafeMutablePointer<GError>?
    let isDone = fp_device_delete_print_finish(reader.device, result, &error) != 0
    let failure = isDone ? nil : FprintFailure(taking: error)
    if phase.step == .pruning, failure == nil {
      pruned += 1
      pruneNext()
    } else {
      finishStorage(failure)
    }
  }

  func clearStorage(_ operation: UInt32) {
    guard let reader, phase.isOpen else { return fail(operation, .notOpen, "no reader is open") }
    phase.begin(.clearing, operation: operation)
    fp_device_clear_storage(
      reader.device, makeCancellable(),
      { _, result, context in ReaderService.at(context).clearingFinished(result) }, context)
  }

  private func clearingFinished(_ result: OpaquePointer?) {
    guard let reader else { return }
    var error: UnsafeMutablePointer<GError>?
    let isDone = fp_device_clear_storage_finish(reader.device, result, &error) != 0
    finishStorage(isDone ? nil : FprintFailure(taking: error))
  }

  /// Deletes all prints on the chip that do not belong to a loaded template. If a template could not be read, nothing is
  /// deleted, because the print that belongs to it cannot be told from the others.
  func prune(_ operation: UInt32) {
    guard let reader, phase.isOpen else { return fail(operation, .notOpen, "no reader is open") }
    guard !reader.templates.contains(where: { $0 == nil }) else {
      return fail(operation, .unusableTemplate, "a loaded template is unusable, so its print could not be told apart")
    }
    guard reader.has(FP_DEVICE_FEATURE_STORAGE_LIST), reader.has(FP_DEVICE_FEATURE_STORAGE_DELETE) else {
      return fail(operation, .unsupported, "the reader cannot list and delete its prints")
    }
    phase.begin(.listing, operation: operation)
    pruned = 0
    fp_device_list_prints(
      reader.device, makeCancellable(),
      { _, result, context in ReaderService.at(context).listingFinished(result) }, context)
  }

  private func listingFinished(_ result: OpaquePointer?) {
    guard let reader else { return }
    var error: UnsafeMutablePointer<GError>?
    guard let prints = fp_device_list_prints_finish(reader.device, result, &error) else {
      return finishStorage(FprintFailure(taking: error))
    }
    defer { g_ptr_array_unref(prints) }
    toPrune = (0..<Int(prints.pointee.len)).compactMap { index in
      guard let print = prints.pointee.pdata[index] else { return nil }
      guard !reader.templates.contains(where: { $0?.equals(OpaquePointer(print)) ?? false }) else { return nil }
      return Template(sharing: OpaquePointer(print))
    }
    phase.go(on: .pruning)
    pruneNext()
  }

  private func pruneNext() {
    guard let reader else { return }
    if phase.isCancelled {
      toPrune = []
      return finishStorage(FprintFailure(cancelled: "cancelled after \(pruned) prints"))
    }
    guard let next = toPrune.popLast() else { return finishStorage(nil) }
    delete(next.print, on: reader)
  }

  private func finishStorage(_ failure: FprintFailure?) {
    guard let operation = phase.operation else { return }
    dropCancellable()
    toPrune = []
    if phase.answer() != nil {
      if let failure {
        fail(operation, failure)
      } else if phase.step == .pruning {
        send(.pruned(operation: operation, count: UInt16(clamping: pruned)))
      } else {
        send(.idle(operation: operation))
      }
    }
    if phase.isCancelled { send(.idle(operation: operation)) }
    phase.settle(isOpen: true)
    advance()
  }
}
