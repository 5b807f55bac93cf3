import CFprint
import SignetVocabulary

/// The readers that libfprint finds. There is at most one `FpContext` at a time.
final class AvailableReaders {
  private var context: UnsafeMutablePointer<FpContext>?
  /// Whether anything was plugged in or out since enumerating. The context may then still list a reader that is gone, so a new
  /// one is made.
  private var isStale = false
  /// What the last look could see.
  private var nodes: DeviceNodes?

  deinit { forget() }

  /// Looks for readers, unless what was found before still holds. Runs the main context until every driver has looked at its
  /// devices. Call it only while no reader is open, because the context owns the open reader's USB connection.
  func enumerate() {
    let now = DeviceNodes()
    if isStale || now != nodes { forget() }
    nodes = now
    guard context == nil, let fresh = fp_context_new() else { return }
    fp_context_enumerate(fresh)
    context = fresh
    isStale = false
    cfprint_on_plugging(
      fresh,
      { _, _, readers in Unmanaged<AvailableReaders>.fromOpaque(readers!).takeUnretainedValue().isStale = true },
      Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets all readers, so that the next `enumerate` looks for them again. Call it only while no reader is open.
  func forget() {
    guard let context else { return }
    self.context = nil
    g_object_unref(context)
  }

  /// Every reader, with its identifier. Readers with the same driver and device id are told apart by their order, which for USB
  /// is that of the ports.
  func all() -> [(identifier: String, device: UnsafeMutablePointer<FpDevice>)] {
    guard let context, let devices = fp_context_get_devices(context) else { return [] }
    var counts: [String: Int] = [:]
    return (0..<Int(devices.pointee.len)).compactMap { index in
      guard let pointer = devices.pointee.pdata[index] else { return nil }
      let device = pointer.assumingMemoryBound(to: FpDevice.self)
      let name = "\(text(fp_device_get_driver(device))):\(text(fp_device_get_device_id(device)))"
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return (count == 1 ? name : "\(name)#\(count)", device)
    }
  }

  func device(_ identifier: String) -> UnsafeMutablePointer<FpDevice>? {
    all().first { $0.identifier == identifier }?.device
  }
}

extension ReaderDescription {
  init(identifier: String, device: UnsafeMutablePointer<FpDevice>) {
    let stages = fp_device_get_nr_enroll_stages(device)
    self.init(
      identifier: identifier, name: text(fp_device_get_name(device)), driver: text(fp_device_get_driver(device)),
      isSwipe: fp_device_get_scan_type(device) == FP_SCAN_TYPE_SWIPE,
      canIdentify: fp_device_has_feature(device, FP_DEVICE_FEATURE_IDENTIFY) != 0,
      hasStorage: fp_device_has_feature(device, FP_DEVICE_FEATURE_STORAGE) != 0,
      enrollStages: UInt8(clamping: stages))
    isBuiltIn = BuiltIn.holds(device)
  }
}

/// A driver's string, cut to the length that a packet's field can have.
private func text(_ string: UnsafePointer<CChar>?) -> String {
  guard let string else { return "" }
  var result = singleLine(String(cString: string))
  while result.utf8.count > FieldLimit.name - 8 { result.removeLast() }
  return result
}
