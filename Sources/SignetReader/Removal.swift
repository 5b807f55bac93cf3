import CFprint

extension ReaderService {
  /// Watches for the reader being unplugged. Some drivers report it half a second later or never.
  func watchRemoval(of device: UnsafeMutablePointer<FpDevice>) {
    removalHandler = cfprint_on_notify_removed(device, { _, _, context in ReaderService.at(context).readerRemoved() }, context)
  }

  func unwatchRemoval() {
    guard let reader, removalHandler != 0 else { return }
    g_signal_handler_disconnect(reader.device, removalHandler)
    removalHandler = 0
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
