import CEnvironment
import CLinux

/// What the process's surroundings say: where signetd and its helper are, and how the user can be reached.
///
/// Of a setuid program's environment nothing is taken (secure_getenv(3)): it is the caller's, not the program's.
public enum ProgramEnvironment {
  /// signetd's socket: `SIGNET_SOCKET`, for tests, or the system's.
  public static var socket: String { variable("SIGNET_SOCKET") ?? "/run/signet/socket" }

  /// Whether there is a desktop on which something can be shown.
  static var hasDesktop: Bool { variable("WAYLAND_DISPLAY") != nil || variable("DISPLAY") != nil }

  /// The program that shows and asks on the desktop: `SIGNET_PROMPT`, for tests, or the installed one. `nil` where there is none.
  static var prompt: String? {
    if let path = variable("SIGNET_PROMPT") ?? ownPrompt { return path }
    for path in ["/usr/libexec/signet/signet-prompt", "/usr/local/libexec/signet/signet-prompt"] {
      if unsafe path.withCString({ unsafe access($0, X_OK) }) == 0 { return path }
    }
    return nil
  }

  /// The program that was installed with this library. A program that has the Swift modules in itself stands somewhere else.
  private static var ownPrompt: String? {
    #if hasFeature(Embedded)
      guard let path = unsafe "libexec/signet/signet-prompt".withCString({ unsafe cenvironment_beside_library($0) }) else {
        return nil
      }
      defer { unsafe free(path) }
      return unsafe String(cString: path)
    #else
      return nil
    #endif
  }

  /// The process's terminal, open as `TypedLine` wants it; -1 where there is none.
  public static func openTerminal() -> Int32 {
    unsafe "/dev/tty".withCString { unsafe clinux_open($0, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0) }
  }

  /// The same where the process is in its foreground.
  static func openForegroundTerminal() -> Int32 {
    let terminal = openTerminal()
    guard terminal >= 0 else { return -1 }
    if tcgetpgrp(terminal) == getpgrp() { return terminal }
    _ = close(terminal)
    return -1
  }

  /// A variable of the environment; `nil` where it is not set, or empty.
  private static func variable(_ name: StaticString) -> String? {
    let start = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let value = unsafe cenvironment_secure(start), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}

/// What a user is told of an evaluation, beside what signetd says.
public struct Prompting: Equatable, Sendable {
  /// What the program calls itself.
  public var application: String
  /// What the program wants the owner for, in the user's words.
  public var reason: String
  /// What the way to the passcode is called; `nil` for the usual words, empty to offer none.
  public var fallbackTitle: String?
  /// What giving up is called; `nil` or empty for the usual words.
  public var cancelTitle: String?

  public init(application: String, reason: String, fallbackTitle: String? = nil, cancelTitle: String? = nil) {
    self.application = application
    self.reason = reason
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
  }

  /// Whether the user may ask for the passcode, after a miss.
  public var offersFallback: Bool { fallbackTitle.map { !$0.utf8.isEmpty } ?? true }
}
