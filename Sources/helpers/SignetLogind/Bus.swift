import CGio

/// Calls on the bus that are answered soon or count as unanswered.
enum Bus {
  /// In milliseconds.
  private static let limit: Int32 = 2_000

  /// The user of the process that has this name, from the bus itself, which has it from the kernel.
  static func uid(of name: String, on bus: OpaquePointer) -> UInt32? {
    let answer = call(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser", [name], "(u)")
    guard let answer else { return nil }
    defer { g_variant_unref(answer) }
    return number(0, of: answer)
  }

  /// Calls a method whose arguments are texts. The answer, to be released, if it is of this type.
  static func call(
    _ bus: OpaquePointer, _ owner: String, _ path: String, _ interface: String, _ method: String, _ words: [String],
    _ type: String
  ) -> OpaquePointer? {
    var error: UnsafeMutablePointer<GError>?
    var texts: [OpaquePointer?] = words.map { g_variant_new_string($0) }
    let arguments = g_variant_new_tuple(&texts, gsize(texts.count))
    let answer = g_dbus_connection_call_sync(
      bus, owner, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, limit, nil, &error)
    guard let answer else {
      log(.error, "\(method) of \(path): \(message(taking: error))")
      return nil
    }
    if String(cString: g_variant_get_type_string(answer)) == type { return answer }
    log(.error, "\(method) of \(path) answered with another type")
    g_variant_unref(answer)
    return nil
  }

  /// The `u` at this place of a tuple.
  static func number(_ index: Int, of tuple: OpaquePointer) -> UInt32 {
    let child = g_variant_get_child_value(tuple, gsize(index))!
    defer { g_variant_unref(child) }
    return g_variant_get_uint32(child)
  }
}

/// The text of an error, which is freed.
func message(taking error: UnsafeMutablePointer<GError>?) -> String {
  guard let error else { return "no reason given" }
  defer { g_error_free(error) }
  return String(cString: error.pointee.message)
}
