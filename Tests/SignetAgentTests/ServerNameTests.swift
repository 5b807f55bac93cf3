import Testing

@testable import SignetCredential

@Suite struct ServerNameTests {
  private let wanted = ServerName(host: "git.example.org")

  @Test(arguments: ["git.example.org", "GIT.example.org", "git.example.org:443"]) func `a host is itself`(host: String) {
    #expect(wanted != nil && ServerName(host: host) == wanted && ServerName(address: host) == wanted)
    #expect(ServerName(address: "https://" + host) == wanted && ServerName(address: "HTTPS://\(host)/v2/") == wanted)
  }

  @Test func `a port and an address tell servers apart`() {
    #expect(ServerName(host: "[::1]:8443") != nil && ServerName(host: "[::1]") == ServerName(host: "[::1]:443"))
    #expect(ServerName(host: "git.example.org:8443") != wanted && ServerName(host: "127.0.0.1") != wanted)
  }

  /// Whatever another reader of it would connect to.
  @Test(arguments: [
    "/.evil.test", "%2f.evil.test", "%2F.evil.test", ":443/.evil.test", ":443:443", ":0443", ":+443", ":", ":0", ":65536",
    ":443@evil.test", "@evil.test", "?.evil.test", "#.evil.test", "\\.evil.test", " .evil.test", "\n", "\r", "\t", "\0",
    "\0.evil.test",
    "\u{2044}.evil.test", "\u{301}", ",evil.test", "..",
  ])
  func `what is not exactly a host is none`(behind: String) {
    #expect(ServerName(host: "git.example.org" + behind) == nil)
    #expect(ServerName(address: "git.example.org" + behind) == nil)
  }

  @Test(arguments: [
    "", "https://git.example.org", "https://git.example.org/", "http://git.example.org", "//git.example.org",
    "evil.test/git.example.org",
    "user@git.example.org", ".git.example.org", "-git.example.org", " git.example.org", "g\u{131}t.example.org",
    "[git.example.org]", "[]",
    "\u{212A}it.example.org",
  ])
  func `nor what has something else before it, or other letters`(host: String) { #expect(ServerName(host: host) == nil) }

  @Test(arguments: [
    "http://git.example.org", "https:///git.example.org", "https://https://git.example.org", "https://evil.test@git.example.org/",
    "https://git.example.org\\@evil.test/", "https://git.example.org%2f.evil.test/", "https://git.example.org:443@evil.test/",
    "https://git.example.org?x", "https://git.example.org/\u{301}\n".replacing("/", with: ""), "ftp://git.example.org",
  ])
  func `an address with another host, or in another reader's eyes, is none`(address: String) {
    #expect(ServerName(address: address) == nil)
  }
}
