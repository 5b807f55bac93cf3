import CFprint
import SignetWire

/// An enrolled finger as libfprint has it in memory (`FpPrint`). This object owns it.
final class Template {
  let print: OpaquePointer

  init(owning print: OpaquePointer) { self.print = print }

  /// One that libfprint keeps as well.
  convenience init(sharing print: OpaquePointer) {
    g_object_ref(UnsafeMutableRawPointer(print))
    self.init(owning: print)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(print)) }

  /// An empty template to enroll into. It has no user name, finger or date, so none is stored on the reader.
  convenience init(bareFor device: UnsafeMutablePointer<FpDevice>) {
    let print = fp_print_new(device)!
    g_object_ref_sink(UnsafeMutableRawPointer(print))
    self.init(owning: print)
  }

  /// Reads a template that `serialized` made for this reader.
  ///
  /// libfprint's own copy is freed with this object but not wiped, because libfprint allocates it. That memory goes back to the
  /// kernel when the reader is closed (`releaseFreeMemory`), or when this process ends a few seconds later.
  convenience init(parsing template: ClearTemplate, for device: UnsafeMutablePointer<FpDevice>) throws(FprintFailure) {
    try self.init(parsing: template, in: TemplateForm(of: device))
    guard fp_print_compatible(print, device) != 0 else { throw FprintFailure(unusable: "it belongs to another reader") }
  }

  /// Reads a template whose reader need not be there.
  convenience init(parsing template: ClearTemplate) throws(FprintFailure) {
    guard let form = TemplateForm.of(template) else { throw FprintFailure(unusable: "it has no valid form") }
    try self.init(parsing: template, in: form)
  }

  private convenience init(parsing template: ClearTemplate, in form: TemplateForm) throws(FprintFailure) {
    guard template.withBytes(form.accepts) else { throw FprintFailure(unusable: "it has no valid form") }
    // With nothing else loaded, each scan would be a strike that nobody can avoid.
    guard template.withBytes(form.canMatch) else { throw FprintFailure(unusable: "too little of the finger is in it") }
    var error: UnsafeMutablePointer<GError>?
    let print = template.withBytes { bytes in
      bytes.withUnsafeBufferPointer { fp_print_deserialize($0.baseAddress, gsize($0.count), &error) }
    }
    guard let print else { throw FprintFailure(taking: error) }
    self.init(owning: print)
  }

  func serialized() throws(FprintFailure) -> ClearTemplate {
    var bytes: UnsafeMutablePointer<guchar>?
    var count: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    guard fp_print_serialize(print, &bytes, &count, &error) != 0, let bytes else { throw FprintFailure(taking: error) }
    defer {
      explicit_bzero(bytes, Int(count))
      g_free(bytes)
    }
    let span = Span(_unsafeStart: UnsafePointer(bytes), count: Int(count))
    do { return try ClearTemplate(copying: span) } catch { throw FprintFailure(unusable: "it has \(count) bytes") }
  }

  /// False for a template or a scan of an image reader that shows too little to match anything. What cannot be looked into
  /// counts as one that can, because a scan that can match and did not is a miss.
  func canMatch(on device: UnsafeMutablePointer<FpDevice>) -> Bool {
    guard let bytes = try? serialized() else { return true }
    return bytes.withBytes(TemplateForm(of: device).canMatch)
  }

  func equals(_ other: OpaquePointer) -> Bool { fp_print_equal(print, other) != 0 }
}
