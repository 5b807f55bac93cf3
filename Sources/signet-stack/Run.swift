import CPAM
import Glibc

/// One run of the stack.
enum Run {
  /// By the entry's number; nil for a module that cannot be loaded.
  nonisolated(unsafe) static var outcomes: [Int32?] = []
  /// What libpam came to.
  nonisolated(unsafe) static var trace: [String] = []

  /// The transaction, and for which modules it holds stand-ins: libpam reads files and opens modules once for each.
  private nonisolated(unsafe) static var handle: OpaquePointer?
  private nonisolated(unsafe) static var loaded: [Bool] = []

  /// Authenticates nobody in particular: the result's word, and the trace.
  static func authenticate(in folder: String) -> String {
    unsafe trace = []
    let started = start(in: folder)
    guard started == PAM_SUCCESS, let open = unsafe handle else {
      return Codes.name(of: started == PAM_SUCCESS ? PAM_ABORT : started)
    }
    let result = unsafe pam_authenticate(open, Int32(bitPattern: UInt32(PAM_SILENT)))
    // libpam would go on where it stopped.
    if result == PAM_INCOMPLETE { end() }
    return unsafe ([Codes.name(of: result)] + trace).joined(separator: " ")
  }

  private static func start(in folder: String) -> Int32 {
    let wanted = unsafe outcomes.map { $0 != nil }
    if unsafe handle != nil, unsafe loaded == wanted { return PAM_SUCCESS }
    end()
    unsafe loaded = wanted
    var conversation = unsafe pam_conv(conv: { _, _, _, _ in PAM_CONV_ERR }, appdata_ptr: nil)
    return unsafe pam_start_confdir("service", "nobody", &conversation, folder, &handle)
  }

  private static func end() {
    if let open = unsafe handle { _ = unsafe pam_end(open, PAM_ABORT) }
    unsafe handle = nil
  }

  static func reply(_ line: String) {
    print(line)
    fflush(nil)
  }
}
