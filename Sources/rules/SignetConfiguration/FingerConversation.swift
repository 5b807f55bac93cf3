import SignetFiles

/// Whether a desktop asks for the finger in a conversation of its own, beside the one that asks for the passcode: as files say that only
/// root writes. They are read at each login, because packages come and go while signetd runs.
///
/// It is so where the service for the finger has a module that asks for one, and somebody has fprintd's name on the bus: without that
/// name no desktop begins the conversation.
public struct FingerConversation: Equatable, Sendable {
  /// Where libpam looks for services.
  public var services = ["/etc/pam.d", "/usr/lib/pam.d"]
  /// Where the bus looks for who has a name.
  public var names = [
    "/etc/dbus-1/system-services", "/usr/local/share/dbus-1/system-services", "/usr/share/dbus-1/system-services",
  ]

  private static let limit = 64 * 1024
  /// Files may include each other without end.
  private static let depth = 4

  public init() {}

  func isHeld(by service: String) -> Bool {
    asksForFinger(service, depth: FingerConversation.depth)
      && names.contains { NamedFile.contents("\($0)/net.reactivated.Fprint.service", limit: FingerConversation.limit) != nil }
  }

  private func asksForFinger(_ service: String, depth: Int) -> Bool {
    guard depth > 0, !service.contains("/"), let lines = lines(of: service) else { return false }
    return lines.contains { line in
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let kind = words.first, words.count > 1 else { return false }
      if kind == "@include" { return asksForFinger(String(words[1]), depth: depth - 1) }
      guard kind == "auth" || kind == "-auth" else { return false }
      if words.count > 2, words[1] == "include" || words[1] == "substack" {
        return asksForFinger(String(words[2]), depth: depth - 1)
      }
      return words.contains { word in
        ["pam_fprintd.so", "pam_signet.so"].contains(word.split(separator: "/").last)
      }
    }
  }

  private func lines(of service: String) -> [Substring]? {
    for folder in services {
      guard let bytes = NamedFile.contents("\(folder)/\(service)", limit: FingerConversation.limit) else { continue }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
    return nil
  }
}
