import CFprint
import SignetWire

/// A reader in use: the device, and the templates that signetd has loaded for it.
final class OpenReader {
  let device: UnsafeMutablePointer<FpDevice>
  /// In the order in which signetd sent them. A template that could not be read is `nil`, so that the others keep their index.
  private(set) var templates: [Template?] = []
  /// Which of them a scan is compared with, where the driver cannot identify; `nil` where nobody has said so.
  var chosen: Int?

  init(_ device: UnsafeMutablePointer<FpDevice>) {
    self.device = device
    g_object_ref(device)
  }

  deinit { g_object_unref(device) }

  var isRemoved: Bool { cfprint_is_removed(device) != 0 }

  func has(_ feature: FpDeviceFeature) -> Bool { fp_device_has_feature(device, feature) != 0 }

  func add(_ template: ClearTemplate) {
    do {
      templates.append(try Template(parsing: template, for: device))
    } catch {
      log(.warning, "template", "number \(templates.count): \(error.message)")
      templates.append(nil)
    }
  }

  /// Whether scans are compared with each of the templates, and not with one.
  var identifies: Bool {
    templates.count { $0 != nil } > 1 && has(FP_DEVICE_FEATURE_IDENTIFY) || !has(FP_DEVICE_FEATURE_VERIFY)
  }

  /// The one that a scan is compared with, where it is only one. Not another one where the chosen one cannot be read: its finger was asked
  /// for, and would be a miss.
  var compared: Template? {
    guard let chosen else { return templates.lazy.compactMap { $0 }.first }
    return templates.indices.contains(chosen) ? templates[chosen] : nil
  }

  func index(of print: OpaquePointer) -> UInt16? {
    templates.firstIndex { $0?.print == print }.flatMap { UInt16(exactly: $0) }
  }
}

extension ReaderService {
  /// Opens a reader. Another one that is open here is closed first.
  func open(_ operation: UInt32, _ identifier: String) {
    guard !phase.isOpen else { return reopen(operation, identifier) }
    guard let device = find(identifier) else { return fail(operation, .notFound, "no reader \(identifier)") }
    guard !commands.isInUse(device) else { return fail(operation, .busy, "the reader is open already") }
    let reader = OpenReader(device)
    self.reader = reader
    phase.begin(.opening, operation: operation)
    watchRemoval(of: device)
    watchFinger(of: device)
    fp_device_open(
      device, makeCancellable(), { _, result, context in ReaderService.at(context).openingFinished(result) }, context)
  }

  private func reopen(_ operation: UInt32, _ identifier: String) {
    close(operation: nil)
    putBack(.open(operation: operation, reader: identifier))
  }

  private func find(_ identifier: String) -> UnsafeMutablePointer<FpDevice>? {
    commands.enumerate()
    if let device = commands.available.device(identifier) { return device }
    // It may have appeared in the meantime. Readers that are not on USB do not announce themselves.
    commands.forgetReaders()
    commands.enumerate()
    return commands.available.device(identifier)
  }

  private func openingFinished(_ result: OpaquePointer?) {
    guard let reader, let operation = phase.operation else { return }
    dropCancellable()
    var error: UnsafeMutablePointer<GError>?
    let isOpen = fp_device_open_finish(reader.device, result, &error) != 0
    let isCancelled = phase.isCancelled
    phase.settle(isOpen: isOpen)
    if isOpen, !isCancelled {
      send(.opened(operation: operation))
    } else if isOpen {
      fail(operation, .cancelled, "cancelled while opening")
      close(operation: operation)
    } else {
      let failure = FprintFailure(taking: error)
      fail(operation, failure)
      release()
      // What went wrong may lie in the context, so the next attempt makes a new one.
      if failure.failure != .cancelled { commands.forgetReaders() }
      if isCancelled { send(.idle(operation: operation)) }
    }
    advance()
  }

  /// Closes the reader and forgets its templates. Sends `idle` for the operation, if there is one.
  func close(operation: UInt32?) {
    guard let reader, phase.isOpen else {
      if let operation { send(.idle(operation: operation)) }
      return
    }
    phase.begin(.closing, operation: operation ?? 0)
    if operation == nil { _ = phase.answer() }
    fp_device_close(
      reader.device, nil, { _, result, context in ReaderService.at(context).closingFinished(result) }, context)
  }

  private func closingFinished(_ result: OpaquePointer?) {
    guard let reader else { return }
    var error: UnsafeMutablePointer<GError>?
    if fp_device_close_finish(reader.device, result, &error) == 0 {
      // libfprint considers the device closed even then.
      let failure = FprintFailure(taking: error)
      if !reader.isRemoved { log(.notice, "reader", "closing: \(failure.message)") }
    }
    let operation = phase.answer()
    phase.settle(isOpen: false)
    release()
    if let operation { send(.idle(operation: operation)) }
    advance()
  }

  private func release() {
    guard let reader else { return }
    let isRemoved = reader.isRemoved
    unwatch()
    self.reader = nil
    if isRemoved { commands.forgetReaders() }
    releaseFreeMemory()
  }
}
