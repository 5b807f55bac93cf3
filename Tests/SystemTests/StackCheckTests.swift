import Foundation
import SignetStackCheck
import SignetTestKit
import Testing

/// What pam-auth-update makes of our profile, in Debian's own services, is proven by our own checker.
@Suite struct `the checker on Debian's services` {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("pam.d")
    for (name, text) in DebianServices.all { try directory.write(text, to: "pam.d/\(name)") }
    try directory.write(
      try String(contentsOfFile: "\(Checkout.path)/pam/signet-passcode", encoding: .utf8), to: "pam.d/signet-passcode")
    let composed = try ComposedStack()
    try directory.write(composed.auth, to: "pam.d/common-auth")
    try directory.write(composed.password, to: "pam.d/common-password")
    try directory.write(composed.session, to: "pam.d/common-session")
    try directory.write(composed.sessionNoninteractive, to: "pam.d/common-session-noninteractive")
  }

  private var check: StackCheck {
    get throws { StackCheck(folder: "\(directory.path)/pam.d", program: try ReaderChannel.program("signet-stack")) }
  }

  @Test func `finds nothing wrong with Debian's services`() throws {
    let services = try check.servicesWithSignet()
    for expected in ["login", "other", "signet-passcode", "su", "su-l", "sudo"] { #expect(services.contains(expected)) }
    #expect(!services.contains("common-auth") && !services.contains("runuser"))
    for report in try check.check(services) {
      #expect(report.faults == [], "\(report.service)")
      #expect(report.hasSignet)
      #expect(report.runs > 20)
      #expect(!report.remarks.contains { $0.text.contains("session line") }, "\(report.service)")
      #expect(!report.remarks.contains { $0.text.contains("new passcode") }, "\(report.service)")
    }
  }

  @Test func `finds a jump that somebody miscounted in common-auth, in each service that takes it in`() throws {
    let sound = try directory.read("pam.d/common-auth")
    let lines = sound.split(separator: "\n", omittingEmptySubsequences: false)
    let unix = try #require(lines.firstIndex { $0.contains("pam_unix.so") })
    try directory.write(
      sound.replacing(lines[unix], with: lines[unix] + "\nauth\toptional\tpam_cap.so"), to: "pam.d/common-auth")
    for service in ["sudo", "login", "su", "signet-passcode"] {
      let fault = try #require(try check.check(service).faults.first { $0.kind == .noPasscode })
      #expect(fault.place.line == unix + 1)
      #expect(fault.place.file.hasSuffix("/common-auth"))
      #expect(fault.place.text.contains("pam_unix.so"))
    }
  }
}
