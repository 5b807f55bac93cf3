import CFprint
import SignetMemory
import SignetWire

/// The form that a serialized template for one reader must have. libfprint 1.94 does not check it: fp_print_deserialize aborts
/// when there are too few bytes, and reads an inner value of a wrong type as if it were of the right one.
struct TemplateForm {
  /// Whether the reader sends images. Their templates are minutiae; those of other readers are their driver's own data.
  private let isImage: Bool

  /// `FpiPrintType`, which libfprint does not publish.
  private enum Kind: Int32 { case raw = 1, minutiae = 2 }

  init(of device: UnsafeMutablePointer<FpDevice>) {
    isImage = isImageReader(device)
  }

  private init(isImage: Bool) { self.isImage = isImage }

  /// The form of a template whose reader need not be there; `nil` where it has none. No template has two.
  static func of(_ template: ClearTemplate) -> TemplateForm? {
    [TemplateForm(isImage: false), TemplateForm(isImage: true)].first { template.withBytes($0.accepts) }
  }

  /// With fewer minutiae than this in a scan or in a stage of a template, libfprint's matcher does not compare at all. It calls
  /// the number MIN_COMPUTABLE_BOZORTH_MINUTIAE, and does not publish it either.
  private static let leastMinutiae: gsize = 10

  func accepts(_ bytes: borrowing Span<UInt8>) -> Bool { reads(bytes, isValid) }

  /// Whether the template, or the scan, can match anything. What an image reader has seen too little of never does.
  func canMatch(_ bytes: borrowing Span<UInt8>) -> Bool {
    !isImage || reads(bytes) { isValid($0) && hasUsefulStage($0) }
  }

  private func reads(_ bytes: borrowing Span<UInt8>, _ body: (OpaquePointer) -> Bool) -> Bool {
    let isNamed = bytes.count > 3 && zip(0..<3, "FP3".utf8).allSatisfy { bytes[$0] == $1 }
    // A copy with the alignment that GVariant wants. Otherwise GVariant would make a copy that nobody wipes.
    guard isNamed, var content = SecretBytes(capacity: bytes.count - 3), content.append(bytes.extracting(droppingFirst: 3)) else {
      return false
    }
    return content.span.withUnsafeBytes { reads($0, body) }
  }

  private func reads(_ bytes: UnsafeRawBufferPointer, _ body: (OpaquePointer) -> Bool) -> Bool {
    guard let type = g_variant_type_new("(issbymsmsia{sv}v)") else { return false }
    defer { g_variant_type_free(type) }
    let content = g_bytes_new_static(bytes.baseAddress, gsize(bytes.count))!
    defer { g_bytes_unref(content) }
    let value = g_variant_ref_sink(g_variant_new_from_bytes(type, content, 0))!
    defer { g_variant_unref(value) }
    return body(value)
  }

  private func isValid(_ value: OpaquePointer) -> Bool {
    guard g_variant_is_normal_form(value) != 0 else { return false }
    let kind = isImage ? Kind.minutiae : Kind.raw
    return with(child: 0, of: value) { g_variant_get_int32($0) == kind.rawValue }
      && with(child: 4, of: value) { UInt32(g_variant_get_byte($0)) <= FP_FINGER_LAST.rawValue }
      && with(child: 9, of: value) { boxed in with(child: 0, of: boxed) { isImage ? isMinutiae($0) : isBoxed($0) } }
  }

  /// A driver's own data is a variant inside the variant.
  private func isBoxed(_ data: OpaquePointer) -> Bool { type(of: data) == "v" }

  /// Each stage has one list of minutiae: as many columns as rows and angles, all in the range that the matcher can compute
  /// with.
  private func isMinutiae(_ data: OpaquePointer) -> Bool {
    guard type(of: data) == "(a(aiaiai))" else { return false }
    return with(child: 0, of: data) { stages in
      let count = g_variant_n_children(stages)
      guard count > 0, count <= 64 else { return false }
      return (0..<count).allSatisfy { with(child: $0, of: stages, isStage) }
    }
  }

  private func hasUsefulStage(_ value: OpaquePointer) -> Bool {
    with(child: 9, of: value) { boxed in
      with(child: 0, of: boxed) { data in
        with(child: 0, of: data) { stages in
          (0..<g_variant_n_children(stages)).contains { index in
            with(child: index, of: stages) { stage in
              with(child: 0, of: stage) { g_variant_n_children($0) >= TemplateForm.leastMinutiae }
            }
          }
        }
      }
    }
  }

  private func isStage(_ stage: OpaquePointer) -> Bool {
    with(child: 0, of: stage) { columns in
      with(child: 1, of: stage) { rows in
        with(child: 2, of: stage) { angles in
          let count = g_variant_n_children(columns)
          return count <= 200 && g_variant_n_children(rows) == count && g_variant_n_children(angles) == count
            && areWithin(0...10_000, columns) && areWithin(0...10_000, rows) && areWithin(-360...360, angles)
        }
      }
    }
  }

  private func areWithin(_ range: ClosedRange<Int32>, _ array: OpaquePointer) -> Bool {
    var count: gsize = 0
    guard let start = g_variant_get_fixed_array(array, &count, 4) else { return count == 0 }
    let numbers = UnsafeBufferPointer(start: start.assumingMemoryBound(to: Int32.self), count: Int(count))
    return numbers.allSatisfy { range.contains($0) }
  }

  private func type(of value: OpaquePointer) -> String { String(cString: g_variant_get_type_string(value)) }

  private func with(child index: gsize, of value: OpaquePointer, _ body: (OpaquePointer) -> Bool) -> Bool {
    guard let child = g_variant_get_child_value(value, index) else { return false }
    defer { g_variant_unref(child) }
    return body(child)
  }
}

/// Whether the reader sends images, which libfprint itself reduces to minutiae and matches.
func isImageReader(_ device: UnsafeMutablePointer<FpDevice>) -> Bool {
  let type = g_type_from_name("FpImageDevice")
  let instance = UnsafeMutableRawPointer(device).assumingMemoryBound(to: GTypeInstance.self)
  return type != 0 && g_type_check_instance_is_a(instance, type) != 0
}
