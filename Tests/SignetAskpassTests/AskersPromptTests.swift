import SignetVocabulary
import Testing

@testable import SignetAskpass

/// Which words are taken for a question that a kept passphrase answers.
@Suite struct AskersPromptTests {
  private static let ssh = AskersPrompt.AskingProgram(name: "ssh", isRoot: false, user: "alice")
  private static let sudo = AskersPrompt.AskingProgram(name: "sudo", isRoot: true, user: "alice")

  private func prompt(_ words: String, _ hint: String? = nil, _ asker: AskersPrompt.AskingProgram = ssh) -> AskersPrompt {
    AskersPrompt(words, hint: hint, asker: asker)
  }

  private static let key = AskersPrompt.kept(ItemName(service: "ssh-key", account: "/home/alice/.ssh/id"))

  @Test(arguments: [
    "Enter passphrase for key '/home/alice/.ssh/id': ", "Enter passphrase for /home/alice/.ssh/id: ",
    "Enter passphrase for /home/alice/.ssh/id (will confirm each use): ", "Enter passphrase for \"/home/alice/.ssh/id\": ",
  ])
  func `ssh's question about a key is answered for that key`(words: String) { #expect(prompt(words) == Self.key) }

  @Test(arguments: [
    "(alice@host) Enter passphrase for key '/home/alice/.ssh/id': ", "alice@host's password: ", "Password: ",
    "Bad passphrase, try again for /home/alice/.ssh/id: ", "Enter passphrase for key 'id': ", "Enter passphrase: ",
    "Enter passphrase for key '/home/alice/.ssh/id", " Enter passphrase for key '/home/alice/.ssh/id': ",
    "Enter passphrase for key '/home/alice/.ssh/id': \n", "x\nEnter passphrase for key '/home/alice/.ssh/id': ",
    "Enter old passphrase: ", "Enter new passphrase (empty for no passphrase): ", "", "Enter PIN for authenticator: ",
  ])
  func `anything else is for the user to answer`(words: String) { #expect(prompt(words) == .typed) }

  @Test func `a question that ssh says is to be confirmed, or only read, releases nothing`() {
    let words = "Enter passphrase for key '/home/alice/.ssh/id': "
    #expect(prompt(words, "confirm") == .confirmation)
    #expect(prompt(words, "none") == .notice)
    #expect(prompt(words, "of a later version") == .typed)
  }

  @Test func `a question about a host's key is asked, never answered`() {
    #expect(prompt("Are you sure you want to continue connecting (yes/no/[fingerprint])? ") == .yesOrNo)
  }

  @Test func `sudo's question for the user's own password is sudo's only, and only as root`() {
    let words = "[sudo] password for alice: "
    #expect(prompt(words, nil, Self.sudo) == .kept(ItemName(service: "sudo", account: "")))
    #expect(prompt(words, nil, Self.ssh) == .typed)
    #expect(prompt(words, nil, AskersPrompt.AskingProgram(name: "sudo", isRoot: false, user: "alice")) == .typed)
    #expect(prompt("[sudo] password for root: ", nil, Self.sudo) == .typed)
    #expect(prompt("[sudo] password for alice2: ", nil, Self.sudo) == .typed)
    #expect(prompt("Password: ", nil, Self.sudo) == .typed)
  }
}

/// What of gpg-agent's conversation is answered from the vault.
@Suite struct PinentryServerStateTests {
  private static let grip = "07032395E36E2364B8C9A2417BC5ABDDDE774242"

  private func steps(_ lines: [String]) -> [PinentryServerState.Step] {
    var state = PinentryServerState()
    return lines.map { state.take(Array($0.utf8).span) }
  }

  @Test func `a key's passphrase is released once, and then typed`() {
    let all = steps([
      "OPTION grab", "SETKEYINFO n/\(Self.grip)", "SETDESC x", "getpin", "SETERROR bad", "GETPIN", "GETPIN", "BYE",
    ])
    let release = PinentryServerState.Step.release(ItemName(service: "gpg", account: Self.grip))
    #expect(all == [.relay, .relay, .relay, release, .relay, .relay, .relay, .end])
  }

  @Test(arguments: [
    ["SETKEYINFO --clear"], ["SETKEYINFO u/S4F3"], ["SETKEYINFO n/\(grip.lowercased())"], ["SETKEYINFO n/\(grip)0"],
    ["SETKEYINFO n/\(grip)", "SETERROR Bad passphrase (try 2 of 3)"], ["SETKEYINFO n/\(grip)", "SETREPEAT again"],
    ["SETKEYINFO n/\(grip)", "RESET"], ["SETKEYINFO n/\(grip)", "SETKEYINFO --clear"], [],
  ])
  func `no other question is`(lines: [String]) { #expect(steps(lines + ["GETPIN"]).last == .relay) }

  @Test func `gpg-agent is told whom to signal`() { #expect(steps(["GETINFO pid", "GETINFO flavor"]) == [.tellPid, .relay]) }
}
