import CFprint
import SignetVocabulary
import Testing

@testable import SignetReader

/// Errors as drivers make them.
@Suite struct FprintFailureTests {
  @Test func `an error without a message is a failure like any other`() throws {
    let error = try error(code: FP_DEVICE_ERROR_TOO_HOT, message: nil)
    let failure = FprintFailure(taking: error)
    #expect(failure.failure == .tooHot)
    #expect(failure.message == "no message")
  }

  @Test func `a message that is no UTF-8 is shown with replacements`() throws {
    let error = try error(code: FP_DEVICE_ERROR_GENERAL, message: [0x72, 0xff, 0x80, 0x21, 0])
    let failure = FprintFailure(taking: error)
    #expect(failure.failure == .other)
    #expect(failure.message == "r\u{FFFD}\u{FFFD}!")
  }

  @Test func `a call that failed without an error has failed`() {
    #expect(FprintFailure(taking: nil).failure == .other)
  }

  @Test(arguments: [4, 10])
  func `a claim that USB refuses is another program's, whatever code GUsb has for it`(code: Int32) {
    let domain = g_quark_from_string("g-usb-device-error-quark")
    func failure(_ message: String) -> ReaderFailure { FprintFailure(domain: domain, code: code, message: message).failure }
    #expect(failure("USB error on device 06cb:00bd : Resource busy [-6]") == .heldByOther)
    #expect(failure("USB error on device 06cb:00bd : No such device (it may have been disconnected) [-4]") == .other)
  }

  @Test func `a node that is busy is another program's, and another call of libfprint's own is not`() {
    func failure(_ domain: GQuark, _ code: Int32) -> ReaderFailure {
      FprintFailure(domain: domain, code: code, message: "busy [-6]").failure
    }
    #expect(failure(g_io_error_quark(), Int32(G_IO_ERROR_BUSY.rawValue)) == .heldByOther)
    #expect(failure(g_io_error_quark(), Int32(G_IO_ERROR_PERMISSION_DENIED.rawValue)) == .other)
    #expect(failure(fp_device_error_quark(), Int32(FP_DEVICE_ERROR_BUSY.rawValue)) == .busy)
  }

  /// g_error_new_literal refuses to make an error without a message, but a driver can.
  private func error(code: FpDeviceError, message: [UInt8]?) throws -> UnsafeMutablePointer<GError> {
    let error = try #require(g_error_new_literal(fp_device_error_quark(), Int32(code.rawValue), ""))
    g_free(error.pointee.message)
    error.pointee.message = message.map { bytes in bytes.withUnsafeBytes { g_memdup2($0.baseAddress, gsize($0.count)) } }.map {
      $0.assumingMemoryBound(to: CChar.self)
    }
    return error
  }
}
