import CPAM
import Glibc

/// One run of the stack.
enum Run {
  /// By the entry's number; nil for a module that cannot be loaded.
  nonisolated(unsafe) static var outcomes: [Int32?] = []
  /// What libpam came to.
  nonisolated(unsafe) static var trace: [String] = []

  /// Authenticates nobody in particular: the result's word, and the trace.
  static func authenticate(in folder: String) -> String {
    unsafe trace = []
    var conversation = unsafe pam_conv(conv: { _, _, _, _ in PAM_CONV_ERR }, appdata_ptr: nil)
    var handle: OpaquePointer?
    let started = unsafe pam_start_confdir("service", "nobody", &conversation, folder, &handle)
    guard started == PAM_SUCCESS, let handle = unsafe handle else {
      return Codes.name(of: started == PAM_SUCCESS ? PAM_ABORT : started)
    }
    let result = unsafe pam_authenticate(handle, Int32(bitPattern: UInt32(PAM_SILENT)))
    _ = unsafe pam_end(handle, result)
    return unsafe ([Codes.name(of: result)] + trace).joined(separator: " ")
  }

  static func reply(_ line: String) {
    print(line)
    fflush(nil)
  }
}
