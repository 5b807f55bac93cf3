import CLibc
import CPAM

/// One run of the stack.
enum Run {
  /// What each entry's stand-in answers, by number; `nil` for a module that cannot be loaded.
  nonisolated(unsafe) static var outcomes: [Int32?] = []
  /// The entries that libpam came to, as words of the reply.
  nonisolated(unsafe) static var trace: [String] = []

  /// The transaction, and which modules were there when it began. libpam reads files and opens modules once a transaction.
  private nonisolated(unsafe) static var handle: OpaquePointer?
  private nonisolated(unsafe) static var loaded: [Bool] = []

  /// Runs the stack for no user in particular. Returns the reply: the result's word and the trace.
  static func authenticate(in folder: String) -> String {
    unsafe trace = []
    let started = start(in: folder)
    guard started == PAM_SUCCESS, let open = unsafe handle else {
      return Codes.name(of: started == PAM_SUCCESS ? PAM_ABORT : started)
    }
    let result = unsafe pam_authenticate(open, Int32(bitPattern: UInt32(PAM_SILENT)))
    // With the same transaction libpam would go on where it stopped, instead of from the top.
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

  /// The words of the next line; `nil` where the input ends.
  static func request() -> [String]? {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { unsafe free(line) }
    guard unsafe clibc_line(&line, &size) > 0, let line = unsafe line else { return nil }
    let bytes = unsafe String(cString: line).utf8
    return bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
  }

  static func reply(_ line: String) {
    print(line)
    _ = fflush(nil)
  }
}
