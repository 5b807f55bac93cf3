import CFprint
import SignetVocabulary
import SignetWire

// Prints that another program enrolled, such as fprintd. What they say of themselves is signetd's to believe.
extension ReaderService {
  /// Tells what is in a print, and which of the readers takes it. Nothing is opened.
  func examine(_ operation: UInt32, _ print: ClearTemplate) {
    commands.enumerate()
    do {
      let template = try Template(parsing: print)
      let reader = commands.available.all().first { fp_print_compatible(template.print, $0.device) != 0 }
      // With the reader at hand it must also be of the form, and have the marks, that this one can match.
      if let reader { _ = try Template(parsing: print, for: reader.device) }
      send(.examined(operation: operation, try template.description(onReader: reader?.identifier ?? "")))
    } catch {
      fail(operation, error)
    }
  }
}

extension Template {
  /// What the print says of itself. Names that no packet carries are none that signetd could have asked for.
  fileprivate func description(onReader reader: String) throws(FprintFailure) -> ForeignPrint {
    let (driver, device) = (string(fp_print_get_driver(print)), string(fp_print_get_device_id(print)))
    let user = string(fp_print_get_username(print))
    guard [driver, device].allSatisfy({ $0.utf8.count <= FieldLimit.name }), user.utf8.count <= FieldLimit.user else {
      throw FprintFailure(unusable: "it has a name that is too long")
    }
    let finger = UInt8(exactly: fp_print_get_finger(print).rawValue).flatMap(Finger.init(rawValue:))
    return ForeignPrint(driver: driver, device: device, finger: finger, user: user, reader: reader)
  }

  private func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
