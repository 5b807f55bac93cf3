import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

@testable import SignetVault

/// The power goes between any two writes of any change. Each write itself is old or new whole (`StateDirectory.replace`).
@Suite struct PowerCutTests {
  struct Step: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (TestVault) throws -> Void
    var testDescription: String { name }
  }

  private static let mail = Item(ItemName(service: "mail", account: "a"), accessControl: AccessControl(.userPresence))
  private static let bank = Item(ItemName(service: "bank", account: "b"), accessControl: AccessControl(.biometryCurrentSet))

  static let story = [
    Step(name: "create the key") { _ = try $0.createKey("old") },
    Step(name: "add an item") { try $0.add(mail, "mail 1", $0.openKey("old")) },
    Step(name: "add an item for the current set") { try $0.add(bank, "bank 1", $0.openKey("old")) },
    Step(name: "update an item") { try $0.update(mail, "mail 2", $0.openKey("old")) },
    Step(name: "add the login secret") { try $0.add(.loginSecret, "secret", $0.openKey("old")) },
    Step(name: "change the passcode") { try $0.rewrap($0.openKey("old"), "new") },
    Step(name: "change the fingers") { try $0.vault().renewFingerSet() },
    Step(name: "update what was for the old fingers") { try $0.update(bank, "bank 2", $0.openKey("new")) },
    Step(name: "admit a program") { try $0.vault().admit("/usr/bin/two", to: bank.name) },
    Step(name: "revoke it") { try $0.vault().revokePrograms(of: bank.name) },
    Step(name: "delete an item") { try $0.vault().delete(mail.name) },
  ]

  @Test(arguments: story.indices) func `the old state or the new one is there, whole, and all goes on`(step: Int) throws {
    let writes = try uncut(upTo: step)
    #expect(writes > 0)
    for count in 0..<writes {
      let test = try TestVault()
      for before in Self.story[..<step] { try before.run(test) }
      let old = try state(test)
      test.power.cut(after: count)
      let error = test.cause { try Self.story[step].run(test) }
      #expect(error != nil, "cut after \(count) of \(writes) writes, and nobody noticed")
      let dark = try state(test)
      test.power.cut(after: nil)
      let found = try state(test)
      #expect(dark == found, "what is read depends on what can be written")
      if found == old { try Self.story[step].run(test) }
      #expect(try state(test) == states[step], "cut after \(count) of \(writes) writes of: \(Self.story[step].name)")
      for after in Self.story[(step + 1)...] { try after.run(test) }
      #expect(try state(test) == states.last)
      #expect(try test.names("/items").count == 2)
    }
  }

  /// All that can be seen of a vault.
  struct Seen: Equatable {
    var opensWith: [String]
    var listing: ItemListing
    var values: [String]
  }

  /// What is seen after each step if the power stays on.
  private let states: [Seen]

  init() throws {
    let test = try TestVault()
    states = try Self.story.map { step in
      try step.run(test)
      return try Self.state(test)
    }
  }

  private func state(_ test: TestVault) throws -> Seen { try Self.state(test) }

  private static func state(_ test: TestVault) throws -> Seen {
    var seen = Seen(opensWith: [], listing: try test.vault().list(), values: [])
    for passcode in ["old", "new"] {
      do {
        let key = try test.openKey(passcode)
        seen.opensWith.append(passcode)
        seen.values = seen.listing.items.map { described in
          do { return try test.read(described.item.name, key) } catch { return "\((error as? VaultError)?.cause as Any)" }
        }
      } catch let error as VaultError {
        guard [.wrongPasscode, .noKey].contains(error.cause) else { throw error }
      }
    }
    return seen
  }

  private func uncut(upTo step: Int) throws -> Int {
    let test = try TestVault()
    for before in Self.story[..<step] { try before.run(test) }
    test.power.cut(after: nil)
    try Self.story[step].run(test)
    return test.power.made
  }

  @Test func `what a write left half done is taken away by the next change`() throws {
    let test = try TestVault()
    for step in Self.story { try step.run(test) }
    let half = "\(test.files)/items/.0123456789abcdef0123456789abcdef.77.new"
    let file = open(half, O_CREAT | O_WRONLY, 0o600)
    #expect(write(file, "half", 4) == 4)
    close(file)
    #expect(try state(test) == states.last)
    #expect(access(half, F_OK) != 0)
  }

  @Test func `a reset that was cut is finished by another one`() throws {
    for count in 0..<20 {
      let test = try TestVault()
      for step in Self.story { try step.run(test) }
      test.power.cut(after: count)
      let error = test.cause { try test.vault().reset() }
      test.power.cut(after: nil)
      if error == nil {
        #expect(count > 4)
        return
      }
      try test.vault().reset()
      #expect(try !test.vault().hasKey())
      #expect(try test.names("/items") == [])
      _ = try test.createKey()
    }
    Issue.record("a reset without end")
  }
}
