import CFprint
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
