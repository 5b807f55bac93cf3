import Foundation
import Testing

@Suite struct `the udev rules` {
  /// The rules go by these two properties, so every reader that libfprint knows must have both and no other device may.
  @Test func `know readers by what libfprint's hardware database says of them`() throws {
    let database = try hardwareDatabase()
    let records = database.split(separator: "\n\n").filter { $0.contains("\nusb:") || $0.hasPrefix("usb:") }
    #expect(records.count > 20)
    for record in records {
      #expect(record.contains(" ID_AUTOSUSPEND=1") && record.contains(" ID_PERSIST=0"), "\(record)")
    }
    let rules = try String(contentsOfFile: "\(Checkout.path)/udev/72-signet.rules", encoding: .utf8)
    #expect(rules.contains(#"ENV{ID_AUTOSUSPEND}=="1", ENV{ID_PERSIST}=="0""#))
  }

  @Test func `give nodes to the group alone`() throws {
    let rules = try String(contentsOfFile: "\(Checkout.path)/udev/72-signet.rules", encoding: .utf8)
    let joined = rules.replacing("\\\n", with: "").split(separator: "\n")
    let giving = joined.filter { $0.contains("SUBSYSTEM==") && !$0.hasPrefix("#") }
    #expect(giving.count == 3)
    for rule in giving {
      #expect(rule.contains(#"GROUP="signet", MODE="0660", TAG-="uaccess""#))
    }
  }

  private func hardwareDatabase() throws -> String {
    for folder in ["/lib/udev/hwdb.d", "/usr/lib/udev/hwdb.d"] {
      if let text = try? String(contentsOfFile: "\(folder)/60-autosuspend-libfprint-2.hwdb", encoding: .utf8) { return text }
    }
    throw Failure(what: "libfprint-2-2 has no hardware database here")
  }
}
