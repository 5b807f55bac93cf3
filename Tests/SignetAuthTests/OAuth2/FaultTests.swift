import SignetAuthTestKit
import SignetJWT
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// What can go wrong between the agent and a provider, at each thing that is asked of it: what is kept, and what is said.
@Suite struct FaultTests {
  enum Action: String, CaseIterable { case bind, refresh, login, unbind }

  enum Fault: String, CaseIterable {
    case refused, failing, unavailable, silent, endless, cutBefore, cutAfterRotation, garbage, wrongCertificate
    case ahead1, ahead10, ahead60, behind1, behind10, behind60
    case newKey, keyGone
  }

  /// What is there when the fault is over.
  enum End: Equatable {
    /// It went well in spite of it.
    case done
    /// It did not, and the next try does.
    case later
    /// Nothing signs in any more: only binding helps.
    case bindAnew
    /// Unbound here, and the provider is told later.
    case toldLater
  }

  /// - Parameter said: a part of the sentence for the user; empty where it went well.
  struct Row: CustomTestStringConvertible {
    let fault: Fault
    let action: Action
    let end: End
    let said: String

    init(_ fault: Fault, _ action: Action, _ end: End, _ said: String = "") {
      (self.fault, self.action, self.end, self.said) = (fault, action, end, said)
    }

    var testDescription: String { "\(fault) \(action)" }
  }

  /// With a provider that takes each refresh token once, and ends all of them where one comes twice.
  static let rows: [Row] = [
    Row(.refused, .bind, .bindAnew, "invalid_grant"), Row(.refused, .refresh, .later, "does not take the stored sign-in"),
    Row(.refused, .login, .later, "does not take the stored sign-in"), Row(.refused, .unbind, .bindAnew, "could not be told"),

    Row(.failing, .bind, .bindAnew, "nobody signed in"), Row(.failing, .refresh, .later, "status 500"),
    Row(.failing, .login, .later, "status 500"), Row(.failing, .unbind, .toldLater, "could not be told"),

    Row(.unavailable, .bind, .bindAnew, "nobody signed in"), Row(.unavailable, .refresh, .later, "status 503"),
    Row(.unavailable, .login, .later, "status 503"), Row(.unavailable, .unbind, .toldLater, "could not be told"),

    Row(.silent, .bind, .bindAnew, "nobody signed in"), Row(.silent, .refresh, .later, "did not answer in time"),
    Row(.silent, .login, .later, "did not answer in time"), Row(.silent, .unbind, .toldLater, "could not be told"),

    // The answer that had the next token is lost each time: what strict rotation makes of that nobody can mend.
    Row(.endless, .bind, .bindAnew, "larger than"), Row(.endless, .refresh, .bindAnew, "larger than"),
    Row(.endless, .login, .bindAnew, "larger than"), Row(.endless, .unbind, .toldLater, "could not be told"),

    Row(.cutBefore, .bind, .bindAnew, "nobody signed in"), Row(.cutBefore, .refresh, .later, "cannot be reached"),
    Row(.cutBefore, .login, .later, "cannot be reached"), Row(.cutBefore, .unbind, .toldLater, "could not be told"),

    Row(.cutAfterRotation, .bind, .bindAnew, "nobody signed in"),
    Row(.cutAfterRotation, .refresh, .bindAnew, "cannot be reached"),
    Row(.cutAfterRotation, .login, .bindAnew, "cannot be reached"),
    Row(.cutAfterRotation, .unbind, .toldLater, "could not be told"),

    Row(.garbage, .bind, .bindAnew, "not valid"), Row(.garbage, .refresh, .later, "not valid"),
    Row(.garbage, .login, .later, "not valid"), Row(.garbage, .unbind, .done),

    Row(.wrongCertificate, .bind, .bindAnew, "not trusted"), Row(.wrongCertificate, .refresh, .later, "not trusted"),
    Row(.wrongCertificate, .login, .later, "not trusted"), Row(.wrongCertificate, .unbind, .toldLater, "could not be told"),

    Row(.ahead1, .bind, .done), Row(.ahead1, .refresh, .done), Row(.ahead1, .login, .done), Row(.ahead1, .unbind, .done),
    Row(.behind1, .bind, .done), Row(.behind1, .refresh, .done), Row(.behind1, .login, .done), Row(.behind1, .unbind, .done),

    Row(.ahead10, .bind, .bindAnew, "is refused"), Row(.ahead10, .refresh, .later, "is refused"),
    Row(.ahead10, .login, .later, "is refused"), Row(.ahead10, .unbind, .done),
    Row(.ahead60, .bind, .bindAnew, "is refused"), Row(.ahead60, .refresh, .later, "is refused"),
    Row(.ahead60, .login, .later, "is refused"), Row(.ahead60, .unbind, .done),
    Row(.behind10, .bind, .bindAnew, "is refused"), Row(.behind10, .refresh, .later, "is refused"),
    Row(.behind10, .login, .later, "is refused"), Row(.behind10, .unbind, .done),
    Row(.behind60, .bind, .bindAnew, "is refused"), Row(.behind60, .refresh, .later, "is refused"),
    Row(.behind60, .login, .later, "is refused"), Row(.behind60, .unbind, .done),

    Row(.newKey, .bind, .done), Row(.newKey, .refresh, .done), Row(.newKey, .login, .done), Row(.newKey, .unbind, .done),
    Row(.keyGone, .bind, .bindAnew, "status 503"), Row(.keyGone, .refresh, .later, "status 503"),
    Row(.keyGone, .login, .later, "status 503"), Row(.keyGone, .unbind, .done),
  ]

  @Test func `the table has a row for each fault at each action`() {
    for fault in Fault.allCases {
      for action in Action.allCases {
        #expect(Self.rows.count { $0.fault == fault && $0.action == action } == 1, "\(fault) \(action)")
      }
    }
  }

  @Test(arguments: rows) func `a fault leaves what can be left`(row: Row) async throws {
    let world = try FaultWorld()
    if row.action != .bind { try await world.bind() }
    // The keys are known for a while, and fetched anew for one that is not.
    world.time.advance(by: 400)
    if row.action == .login { world.restart() }
    world.set(row.fault)
    let said = await world.outcome(of: row.action)
    #expect(row.said.isEmpty ? said.isEmpty : said.contains(row.said), "\(said)")
    world.set(nil)
    try await world.requireEnd(row.end, after: row.action)
  }

  @Test(arguments: [Fault.endless, .cutAfterRotation], [Action.refresh, .login])
  func `an answer that got lost costs nothing where the provider has a grace period`(fault: Fault, action: Action) async throws {
    let world = try FaultWorld()
    world.provider.change { $0.isGraceful = true }
    try await world.bind()
    world.time.advance(by: 400)
    if action == .login { world.restart() }
    world.set(fault, times: 1)
    _ = await world.outcome(of: action)
    world.set(nil)
    try await world.requireEnd(.later, after: action)
  }
}
