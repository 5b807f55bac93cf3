import CFprint
import SignetVocabulary

/// A `GError`, taken over from libfprint.
struct FprintFailure: Error {
  let domain: GQuark
  let code: Int32
  let message: String

  init(domain: GQuark, code: Int32, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  /// Some drivers make errors without a message.
  init(borrowing error: UnsafeMutablePointer<GError>) {
    let message: UnsafePointer<CChar>? = UnsafePointer(error.pointee.message)
    self.init(
      domain: error.pointee.domain, code: error.pointee.code, message: message.map { String(cString: $0) } ?? "no message")
  }

  /// Takes over the error of a call that failed. A call that failed without setting an error has still failed.
  init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error else {
      self.init(domain: 0, code: 0, message: "libfprint gave no reason")
      return
    }
    self.init(borrowing: error)
    g_error_free(error)
  }

  init(unusable reason: String) {
    self.init(
      domain: fp_device_error_quark(), code: Int32(FP_DEVICE_ERROR_DATA_INVALID.rawValue),
      message: "unusable template: \(reason)")
  }

  init(cancelled message: String) {
    self.init(domain: g_io_error_quark(), code: Int32(G_IO_ERROR_CANCELLED.rawValue), message: message)
  }

  /// The kind of poor scan, if the error is about one. `ScanRetry` has libfprint's numbers; a number that it does not know
  /// still means a poor scan.
  var retry: ScanRetry? {
    guard domain == fp_device_retry_quark() else { return nil }
    return ScanRetry(rawValue: UInt8(clamping: code)) ?? .general
  }

  var failure: ReaderFailure {
    if domain == g_io_error_quark(), code == Int32(G_IO_ERROR_CANCELLED.rawValue) { return .cancelled }
    if isHeldByOther { return .heldByOther }
    guard domain == fp_device_error_quark(), code >= 0 else { return .other }
    return switch FpDeviceError(rawValue: UInt32(code)) {
    case FP_DEVICE_ERROR_NOT_SUPPORTED: .unsupported
    case FP_DEVICE_ERROR_NOT_OPEN: .notOpen
    case FP_DEVICE_ERROR_ALREADY_OPEN, FP_DEVICE_ERROR_BUSY: .busy
    case FP_DEVICE_ERROR_DATA_INVALID: .unusableTemplate
    case FP_DEVICE_ERROR_DATA_NOT_FOUND: .notFound
    case FP_DEVICE_ERROR_DATA_FULL: .storageFull
    case FP_DEVICE_ERROR_DATA_DUPLICATE: .duplicate
    case FP_DEVICE_ERROR_REMOVED: .removed
    case FP_DEVICE_ERROR_TOO_HOT: .tooHot
    default: .other
    }
  }

  /// Whether another program has the device.
  private var isHeldByOther: Bool {
    // Of a node: that of SPI is for one program at a time, and a virtual reader's is a socket.
    if domain == g_io_error_quark() {
      return [G_IO_ERROR_BUSY, G_IO_ERROR_ADDRESS_IN_USE].contains { code == Int32($0.rawValue) }
    }
    // Of USB. GUsb before 0.4 has one code for this and for a device that is gone, but all end with libusb's own number.
    return domain == g_quark_try_string("g-usb-device-error-quark") && message.hasSuffix("[\(FprintFailure.libusbBusy)]")
  }

  /// libusb's `LIBUSB_ERROR_BUSY`, whose header need not be installed.
  private static let libusbBusy = -6
}
