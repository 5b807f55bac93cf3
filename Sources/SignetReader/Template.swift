import CFprint
import SignetWire

/// An enrolled finger as libfprint keeps it in memory (`FpPrint`), owned.
final class Template {
  let print: OpaquePointer

  init(owning print: OpaquePointer) { self.print = print }

  deinit { g_object_unref(UnsafeMutableRawPointer(print)) }

  /// A template to enroll into, bare: no user name, finger or date goes to the reader or comes back from it.
  convenience init(bareFor device: UnsafeMutablePointer<FpDevice>) {
    let print = fp_print_new(device)!
    g_object_ref_sink(UnsafeMutableRawPointer(print))
    self.init(owning: print)
  }

  /// Reads a template that `serialized` made for this reader.
  convenience init(parsing bytes: [UInt8], for device: UnsafeMutablePointer<FpDevice>) throws(FprintFailure) {
    guard TemplateForm(of: device).accepts(bytes) else { throw FprintFailure(unusable: "it has no valid form") }
    var error: UnsafeMutablePointer<GError>?
    guard let print = fp_print_deserialize(bytes, gsize(bytes.count), &error) else { throw FprintFailure(taking: error) }
    self.init(owning: print)
    guard fp_print_compatible(print, device) != 0 else { throw FprintFailure(unusable: "it belongs to another reader") }
  }

  func serialized() throws(FprintFailure) -> [UInt8] {
    var bytes: UnsafeMutablePointer<guchar>?
    var count: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    guard fp_print_serialize(print, &bytes, &count, &error) != 0, let bytes else { throw FprintFailure(taking: error) }
    defer {
      explicit_bzero(bytes, Int(count))
      g_free(bytes)
    }
    guard count <= gsize(WireLimit.template) else { throw FprintFailure(unusable: "it has \(count) bytes") }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  func equals(_ other: OpaquePointer) -> Bool { fp_print_equal(print, other) != 0 }
}
