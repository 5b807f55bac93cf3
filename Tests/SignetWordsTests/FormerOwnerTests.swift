import Glibc
import SignetVocabulary
import SignetWords
import Testing

/// A uid whose name is another one than that under which something was enrolled or stored, by users that every Debian has.
@Suite struct FormerOwnerTests {
  private func finger(_ owner: String, _ uid: UInt32) -> String { FaultText.of(.templateOfOther("/t", uid: uid, owner: owner)) }
  private func vault(_ owner: String, _ uid: UInt32) -> String { VaultText.of(.otherOwner("/v", uid: uid, owner: owner)) }

  @Test func `a second name of the uid is told from a uid that was given away`() {
    #expect(finger("root", 0).contains("as root, another name of uid 0"))
    #expect(vault("root", 0).contains("of root, another name of uid 0"))
    #expect(finger("root", 4242).contains("root, who has uid 0 now"))
    #expect(vault("root", 4242).contains("who had uid 4242 before and has 0 now"))
  }

  /// nobody's home is /nonexistent, as that of somebody of this name would be after usermod -l.
  @Test func `a renamed user is told from one who is gone`() throws {
    let home = try #require(getpwnam("nobody").map { String(cString: $0.pointee.pw_dir) })
    let (name, uid) = (String(home.split(separator: "/").last ?? ""), try #require(getpwnam("nobody")).pointee.pw_uid)
    try #require(getpwnam(name) == nil)
    #expect(finger(name, uid).contains("as \(name), who is called nobody now"))
    #expect(vault(name, uid).contains("usermod --login \(name) nobody"))
    #expect(finger("no-such-user", uid).contains("a name that nobody has now"))
    #expect(vault("no-such-user", uid).contains("if that user was renamed"))
    #expect(vault("no-such-user", 4242).contains("a name that nobody has now"))
  }
}
