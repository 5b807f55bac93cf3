import CGio

/// Logind's names (org.freedesktop.login1(5)), and what it is asked.
enum Logind {
  static let name = "org.freedesktop.login1"
  static let session = "org.freedesktop.login1.Session"

  /// Whose session this is; `nil`, logged, where logind does not say.
  static func user(of session: String, on bus: OpaquePointer, _ logind: String) -> UInt32? {
    let answer = Bus.call(
      bus, logind, session, "org.freedesktop.DBus.Properties", "Get", [Logind.session, "User"], "(v)")
    guard let answer else { return nil }
    defer { g_variant_unref(answer) }
    let boxed = g_variant_get_child_value(answer, 0)!
    defer { g_variant_unref(boxed) }
    let user = g_variant_get_variant(boxed)!
    defer { g_variant_unref(user) }
    // The uid, and the path of the user's object.
    guard String(cString: g_variant_get_type_string(user)) == "(uo)" else {
      log(.error, "the user of \(session) has another type")
      return nil
    }
    return Bus.number(0, of: user)
  }
}
