import Foundation
import SignetVocabulary
@testable import SignetWire
import Testing

/// PROTOCOL.md says what the code does.
@Suite struct SpecificationTests {
  private static let lines: [Substring] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try! String(contentsOf: root.appending(path: "Sources/ground/SignetWire/PROTOCOL.md"), encoding: .utf8)
    return text.split(separator: "\n")
  }()

  /// The cells of every table row.
  private static let rows = lines.filter { $0.hasPrefix("|") }.map { line in
    line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func number(of name: String) -> [Int] {
    SpecificationTests.rows.flatMap { row in
      row.indices.dropLast().filter { row[$0] == name }.compactMap { Int(row[$0 + 1].prefix { $0.isNumber }) }
    }
  }

  @Test func `its examples are accepted`() throws {
    let examples = SpecificationTests.lines.filter { $0.hasPrefix("    ") }.compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let name = parts[0].trimmingCharacters(in: .whitespaces)
      return Codec.all.first { $0.name == name }.map { ($0, Vector.bytes(String(parts[1]))) }
    }
    #expect(examples.count == 55)
    for (codec, bytes) in examples { #expect(try codec.echo(bytes) == bytes, "\(codec.name)") }
  }

  @Test func `every kind has the number of the code`() {
    let requests: [RequestKind] = [
      .authenticate, .passcode, .fallback, .cancel, .openSession, .closeSession, .enroll, .delete, .list, .status, .readers,
      .reset, .sessions, .revokeSession, .lock, .history, .suspend, .resume, .value, .passcodeChanged, .vaultAdd, .vaultUpdate,
      .vaultRead, .vaultDelete, .vaultList, .vaultRecover, .vaultReset, .context, .evaluate, .canEvaluate, .watch, .forget,
      .vaultRevoke, .introspect, .issueToken, .refreshToken, .endRefresh, .keySet, .revokeOthers, .sealingKey, .follow,
      .importFprintd, .watchVault, .onBehalf, .verify, .sessionToken, .keyMake, .keySign,
    ]
    for kind in requests { #expect(number(of: "`\(kind)`").contains(Int(kind.rawValue)), "\(kind)") }
    let replies: [ReplyKind] = [
      .heartbeat, .show, .askPasscode, .verdict, .askValue, .value, .evaluated, .issued, .sealingKey,
      .enrollStage, .row, .done, .refused, .busy,
    ]
    for kind in replies { #expect(number(of: "`\(kind)`").contains(Int(kind.rawValue)), "\(kind)") }
    for kind in ReaderCommand.Kind.allCases { #expect(number(of: "`\(kind)`").contains(Int(kind.rawValue)), "\(kind)") }
    for kind in ReaderEvent.Kind.allCases { #expect(number(of: "`\(kind)`").contains(Int(kind.rawValue)), "\(kind)") }
  }

  /// Their rows say in words which request or answer they are of.
  @Test func `the kinds between signetd and signet-tpm are those of the code`() {
    func numbers(of message: String) -> [UInt8] {
      SpecificationTests.rows.filter { $0[0].hasPrefix("`\(message)` ") }.compactMap { UInt8($0[1]) }
    }
    #expect(numbers(of: "TPMRequest") == TPMRequest.Kind.allCases.map(\.rawValue))
    #expect(numbers(of: "TPMAnswer").sorted() == TPMAnswer.Kind.allCases.map(\.rawValue))
  }

  @Test func `every value has the number of the code`() {
    for value: UInt8 in 1...12 { expect(Prompt(rawValue: value)) }
    for value: UInt8 in 1...11 { expect(PasscodeReason(rawValue: value)) }
    for value: UInt8 in 0...4 { expect(ScanRetry(rawValue: value)) }
    for code in RefusalCode.allCases { expect(code) }
    for call in SystemCall.allCases { expect(call) }
    for error in SystemError.all { expect("\(error)", error.number) }
    for error in VaultError.all { expect("\(error)", error.number) }
    for outcome in ImportOutcome.all { expect("\(outcome)", outcome.number) }
    for value: UInt8 in 1...13 { expect(ReaderFailure(rawValue: value)) }
    for obstacle in ReaderObstacle.allCases { expect(obstacle) }
    for value: UInt8 in 0...8 { expect(LockReason(rawValue: value)) }
    for value: UInt8 in 0...2 { expect(EvidenceMethod(rawValue: value)) }
    for value: UInt8 in 1...2 { expect(Policy(rawValue: value)) }
    for value: UInt8 in 1...3 { expect(BiometryState(rawValue: value)) }
    for value: UInt8 in 0...1 { expect(BiometryKind(rawValue: value)) }
    for value: UInt8 in 1...2 { expect(Crowd(rawValue: value)) }
    for state in VaultState.allCases { expect(state) }
    for protection in KeyProtection.allCases { expect(protection) }
    let checked: [PasscodeAnswer.Outcome] = [.verified, .wrong, .notSet, .unavailable, .undecided, .isSet, .asksMore]
    for outcome in checked + [.accountOpen, .accountClosed, .passcodeExpired, .accountUnknown] { expect(outcome) }
    for fault in TPMFault.allCases { expect(fault) }
    for fault in PinFault.allCases { expect(fault) }
    for state in FingerAfterRestart.allCases { expect(state) }
    for home in KeyHome.allCases { expect(home) }
    for home in TokenKeyHome.allCases { expect(home) }
    for kind in Event.Kind.allCases { expect(kind) }
    for finger in Finger.allCases { #expect(number(of: finger.name) == [Int(finger.rawValue)]) }
    for accessibility in Accessibility.allCases { expect(accessibility) }
    #expect(number(of: "`success`") == [Int(Verdict.success.rawValue)])
  }

  @Test func `every constraint has the number of the code, and no two share a bit`() {
    let constraints: [(String, AccessControl.Constraints)] = [
      ("biometryAny", .biometryAny), ("biometryCurrentSet", .biometryCurrentSet), ("userPresence", .userPresence),
      ("devicePasscode", .devicePasscode),
    ]
    for (name, constraint) in constraints { #expect(number(of: "`\(name)`") == [Int(constraint.rawValue)], "\(name)") }
    #expect(constraints.reduce(0) { $0 + Int($1.1.rawValue) } == Int(AccessControl.Constraints.known.rawValue))
    #expect(AccessControl.Connective.and.rawValue == 0 && AccessControl.Connective.or.rawValue == 1)
  }

  /// A case with its values, as it is printed.
  private func expect(_ text: String, _ value: UInt8) {
    let name = text.prefix { $0 != "(" }
    #expect(number(of: "`\(name)`").contains(Int(value)), "\(name)")
  }

  @Test func `every refusal and every error can be written and read`() {
    #expect(Set(Refusal.all.map(\.code)) == Set(RefusalCode.allCases) && Refusal.all.count == RefusalCode.allCases.count)
    #expect(Set(SystemError.all.map(\.number)) == Set(1...19) && SystemError.all.count == 19)
    #expect(ImportOutcome.all.map(\.number) == Array(1...7))
    #expect(Set(VaultError.all.map(\.number)) == Set(1...22) && VaultError.all.count == 22)
    #expect(VaultError.all.allSatisfy { $0.number > 19 || $0.number == $0.cause.rawValue })
  }

  private func expect(_ value: (some RawRepresentable<UInt8>)?) {
    guard let value else {
      Issue.record("the table has more values than the code")
      return
    }
    #expect(number(of: "`\(value)`").contains(Int(value.rawValue)), "\(value)")
  }

  @Test func `every limit is that of the code`() {
    let limits = [
      "template": FieldLimit.template, "part of a value": PacketLimit.valuePart, "value": ItemLimit.value,
      "item name (service, account)": ItemLimit.name, "item text (label, comment)": ItemLimit.text,
      "attributes of an item": ItemLimit.attributes, "program of an item": ItemLimit.program, "user": FieldLimit.user,
      "host": FieldLimit.host, "program": FieldLimit.program,
      "passcode": FieldLimit.passcode,
      "explanation, detail of a failure": FieldLimit.explanation, "path": FieldLimit.path, "token": FieldLimit.token,
      "session identifier": FieldLimit.sessionIdentifier, "domain state": FieldLimit.domainState,
      "name (service, terminal, reader)": FieldLimit.name,
      "packet between a client and signetd, or signetd and signet-passcode or signet-tpm": PacketLimit.packet,
      "sealed key": TPMRequest.sealedLimit, "packet between signetd and signet-reader": PacketLimit.readerPacket,
    ]
    for (name, limit) in limits {
      let cells = SpecificationTests.rows.filter { $0.count == 2 && $0[0] == name }.map { $0[1].filter(\.isNumber) }
      #expect(cells == ["\(limit)"], "\(name)")
    }
    #expect(PacketLimit.version == 1)
  }
}
