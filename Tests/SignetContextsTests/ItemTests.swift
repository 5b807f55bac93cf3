import SignetBytes
import SignetClient
import SignetContexts
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Items in a context, against a scripted signetd.
@Suite struct ItemTests {
  private let greeted: [ScriptedDaemon.Step] = [.expect(.context), .send(Packet.done)]
  private let name = ItemName(service: "mail", account: "anna")

  private func row(_ service: String) -> [UInt8] {
    let item = Item(ItemName(service: service, account: ""), attributes: [1, 2])
    let row = ItemRow(item: item, created: 1, modified: 2, isOfCurrentSet: true, creator: "/usr/bin/mail", others: ["/bin/a"])
    return Packet.bytes { packet in try AdministrationReply.item(row).write(into: &packet) }
  }

  private func value(_ total: Int, _ part: [UInt8]) -> [UInt8] {
    Packet.bytes { packet in try ValueReply(total: UInt32(total), part: part.span).write(into: &packet) }
  }

  @Test func `a value comes in parts, and whole`() throws {
    let whole = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }
    let daemon = try ScriptedDaemon(
      greeted + [
        .expect(.vaultRead), .send(value(5_000, Array(whole[..<3_968]))), .send(value(5_000, Array(whole[3_968...]))),
        .send(Packet.done), .expect(.vaultRead), .send(value(0, [])), .send(Packet.done),
      ])
    var context = try ContextConnection(path: daemon.path, name: "")
    var host = ScriptedHost()
    let read = try context.read(name, &host)
    #expect(Array(copying: read.span) == whole)
    #expect(try context.read(name, mayInteract: false, &host).count == 0)
    let sent = try daemon.finish()[0]
    #expect(sent[1].last == 0 && sent[2].last == 1)
  }

  @Test func `a value that is short, long or none is no value`() throws {
    for values in [[value(5, [1, 2])], [value(5, [1, 2]), value(6, [3, 4, 5])], [value(2, [1, 2]), value(2, [3])], []] {
      let daemon = try ScriptedDaemon(
        greeted + [.expect(.vaultRead)] + values.map { .send($0) } + [.send(Packet.done), .silence])
      do {
        var context = try ContextConnection(path: daemon.path, name: "")
        var host = ScriptedHost()
        #expect(throws: ContextError.client(.malformed)) { _ = try context.read(name, &host).count }
      }
      try daemon.finish()
    }
  }

  @Test func `a key is made and signs, and what has another length is neither point nor signature`() throws {
    let key = ItemName(kind: .key, service: "git", account: "anna")
    let (point, signature) = ([4] + [UInt8](repeating: 1, count: 64), [UInt8](repeating: 2, count: 64))
    let digest = [UInt8](repeating: 3, count: 32)
    let daemon = try ScriptedDaemon(
      greeted + [
        .expect(.keyMake), .send(value(65, point)), .send(Packet.done), .expect(.keySign), .send(value(64, signature)),
        .send(Packet.done), .expect(.keySign), .send(Packet.refused(.fingersChanged)), .expect(.keySign), .send(value(65, point)),
        .send(Packet.done), .expect(.keyMake), .send(value(64, signature)), .send(Packet.done),
      ])
    var context = try ContextConnection(path: daemon.path, name: "")
    var host = ScriptedHost()
    #expect(try context.makeKey(Item(key), &host) == point)
    #expect(try context.sign(digest, with: key, mayInteract: false, &host) == signature)
    #expect(throws: ContextError.refused(.fingersChanged)) { try context.sign(digest, with: key, &host) }
    #expect(throws: ContextError.client(.malformed)) { try context.sign(digest, with: key, &host) }
    #expect(throws: ContextError.client(.malformed)) { try context.makeKey(Item(key), &host) }
    // Nothing of these is sent.
    #expect(throws: ContextError.unusable) { try context.sign(Array(digest.dropLast()), with: key, &host) }
    #expect(throws: ContextError.unusable) { try context.sign(digest, with: name, &host) }
    #expect(throws: ContextError.unusable) { try context.makeKey(Item(name), &host) }
    let sent = try daemon.finish()[0]
    #expect(Array(sent[2].suffix(33)) == [1] + digest && Array(sent[3].suffix(33)) == [0] + digest)
  }

  @Test func `an item is stored when signetd wants its value, and a refusal is one`() throws {
    let daemon = try ScriptedDaemon(
      greeted + [
        .expect(.vaultAdd), .send(Packet.askValue), .expect(.value), .expect(.value), .send(Packet.done),
        .expect(.vaultAdd), .send(Packet.refused(.duplicateItem)), .expect(.vaultDelete), .send(Packet.refused(.notFound)),
        .expect(.vaultRevoke), .send(Packet.done),
      ])
    var context = try ContextConnection(path: daemon.path, name: "")
    var host = ScriptedHost()
    let secret = [UInt8](repeating: 7, count: 4_000)
    try context.add(Item(name), secret.span, &host)
    #expect(throws: ContextError.refused(.duplicateItem)) { try context.add(Item(name), secret.span, &host) }
    #expect(throws: ContextError.refused(.notFound)) { try context.delete(name, &host) }
    try context.revoke(name, &host)
    try daemon.finish()
  }

  @Test func `the list has the items, and leaves out what is wrong with files`() throws {
    let problem = Packet.bytes { packet in try AdministrationReply.vaultProblem(.noKey).write(into: &packet) }
    let daemon = try ScriptedDaemon(
      greeted + [
        .expect(.vaultList), .send(row("a")), .send(problem), .send(row("b")), .send(Packet.done), .expect(.vaultList),
        .send(Packet.biometry(.usable, .success)), .silence,
      ])
    do {
      var context = try ContextConnection(path: daemon.path, name: "")
      let rows = try context.list()
      #expect(rows.map(\.item.name.service) == ["a", "b"])
      #expect(rows[0].creator == "/usr/bin/mail" && rows[0].others == ["/bin/a"] && rows[0].item.attributes == [1, 2])
      #expect(throws: ContextError.client(.malformed)) { try context.list() }
    }
    try daemon.finish()
  }

  @Test func `why a vault is not available is told apart where a program has a number for it`() throws {
    let reasons: [(VaultError, ContextError)] = [
      (.noKey, .refused(.notFound)), (.locked, .refused(.interactionNotAllowed)), (.proofMissing, .refused(.notVerified)),
      (.setChanged("x"), .refused(.fingersChanged)), (.badItem, .unusable), (.damaged("x"), .refused(.vaultUnavailable)),
    ]
    for (reason, error) in reasons {
      let daemon = try ScriptedDaemon(greeted + [.expect(.vaultDelete), .send(Packet.refused(.vaultUnavailable(reason)))])
      var context = try ContextConnection(path: daemon.path, name: "")
      var host = ScriptedHost()
      #expect(throws: error) { try context.delete(name, &host) }
      try daemon.finish()
    }
  }

  // MARK: Numbers

  @Test func `verdicts have the numbers of Apple's errors, and only success has none`() {
    let numbers: [(Verdict, Int32)] = [
      (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4), (.passcodeNotSet, -5),
      (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8), (.appCancel, -9), (.invalidContext, -10),
      (.notInteractive, -1004), (.accountClosed, -6), (.passcodeExpired, -6), (.accountUnknown, -6),
    ]
    for (verdict, number) in numbers { #expect(AuthenticationError(verdict)?.rawValue == number) }
    for byte in UInt8.min...UInt8.max where byte != Verdict.success.rawValue {
      #expect(AuthenticationError(Verdict(rawValue: byte)) != nil)
    }
    #expect(AuthenticationError(.success) == nil)
    #expect(AuthenticationError(ContextError.cancelled(.app)) == .appCancel)
    #expect(AuthenticationError(ContextError.client(.silent)) == .biometryNotAvailable)
  }

  @Test func `refusals have the numbers of Apple's keychain, and none is a success`() {
    #expect(ItemStatus(.refused(.notFound)).rawValue == -25300)
    #expect(ItemStatus(.refused(.duplicateItem)).rawValue == -25299)
    #expect(ItemStatus(.refused(.interactionNotAllowed)).rawValue == -25308)
    #expect(ItemStatus(.refused(.fingersChanged)).rawValue == -25293)
    for code in [RefusalCode.accountClosed, .passcodeExpired, .accountUnknown] {
      #expect(ItemStatus(.refused(code)).rawValue == -25293)
    }
    #expect(ItemStatus(.cancelled(.user)).rawValue == -128)
    #expect(ItemStatus(.unusable).rawValue == -50)
    #expect(ItemStatus(.client(.silent)).rawValue == -25291)
    for code in RefusalCode.allCases { #expect(ItemStatus(.refused(code)) != .success) }
  }
}
