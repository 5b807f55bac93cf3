import CFprint

extension ReaderService {
  /// Watches for the reader being unplugged. Some drivers report it half a second later or never.
  func watchRemoval(of device: UnsafeMutablePointer<FpDevice>) {
    removalHandler = cfprint_on_notify_removed(device, { _, _, context in ReaderService.at(context).readerRemoved() }, context)
  }

  /// Ends the watch over the open reader and its finger.
  func unwatch() {
    guard let reader else { return }
    for handler in [removalHandler, fingerHandler] where handler != 0 { g_signal_handler_disconnect(reader.device, handler) }
    (removalHandler, fingerHandler) = (0, 0)
  }

  private func readerRemoved() {
    guard let reader, reader.isRemoved else { return }
    log(.notice, "reader", "removed")
    if phase.step != .closing, let operation = phase.answer() { fail(operation, .removed, "the reader was removed") }
    if let cancellable { g_cancellable_cancel(cancellable) }
    // libfprint wants the device closed, and not from inside its own notification.
    g_idle_add(
      { context in
        ReaderService.at(context).advance()
        return 0
      }, context)
  }
}
