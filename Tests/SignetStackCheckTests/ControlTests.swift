import Testing

@testable import SignetStackCheck

/// Control fields by pam.conf(5).
@Suite struct ControlTests {
  private static func control(_ text: String) -> Control { Control(Array(text.utf8)) }

  @Test(arguments: [
    ("required", Action.ok, Action.bad, Action.ignore), ("requisite", .ok, .die, .ignore), ("REQUIRED", .ok, .bad, .ignore),
    ("optional", .ok, .ignore, .ignore), ("sufficient", .done, .ignore, .ignore), ("success=3 default=die", .jump(3), .die, .die),
    ("default=ignore success=ok", .ok, .ignore, .ignore), (" success = 1auth_err=bad ", .jump(1), .bad, .bad),
    ("", .bad, .bad, .bad),
    ("default=ok default=die", .ok, .ok, .ok), ("success=99999999999999999999", .jump(1_000_000), .bad, .bad),
  ])
  func `a control gives each answer its action`(text: String, success: Action, failure: Action, ignore: Action) {
    let control = Self.control(text)
    #expect(control.isReadable)
    #expect(control[.success] == success)
    #expect(control[.authError] == failure)
    #expect(control[.ignore] == ignore)
  }

  @Test(arguments: [
    "nonsense", "success", "success=", "success=0", "success=-1", "success=okay x", "=ok", "success=ok, default=bad",
  ])
  func `what libpam cannot read is bad for every answer`(text: String) {
    let control = Self.control(text)
    #expect(!control.isReadable)
    for code in ReturnName.allCases { #expect(control[code] == .bad) }
  }

  @Test func `each answer of ours is tried`() {
    let all = Set(ReturnName.refusalsOfSignet)
    #expect(all.isSuperset(of: ReturnName.unavailable))
    #expect(!all.contains(.success))
    // Every code of the module's own table, and libpam's two for a module that is not there.
    #expect(all.count == 11)
  }
}
