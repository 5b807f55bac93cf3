import Glibc
import SignetTestKit
import Testing

@testable import SignetPinentry

/// Which pinentry is run, and what it gets to know.
@Suite struct PinentryProgramTests {
  private func variables(_ all: [String: String]) -> (String) -> String? { { all[$0] } }

  @Test func `pinentry learns where the screen is and which language, and nothing else`() {
    let all = [
      "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/x", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus",
      "XDG_RUNTIME_DIR": "/run/user/1", "LANG": "de_DE.UTF-8", "LC_CTYPE": "C", "TERM": "dumb", "GPG_TTY": "/dev/pts/1",
      "HOME": "/home/a", "PATH": "/evil", "LD_PRELOAD": "/evil.so", "PINENTRY_USER_DATA": "evil", "GTK_MODULES": "evil",
      "QT_PLUGIN_PATH": "/evil", "PASSWORD": "secret",
    ]
    let environment = PinentryProgram.environment(variables(all))
    #expect(environment.count == 10)
    #expect(!environment.joined().contains("evil") && !environment.joined().contains("secret"))
    #expect(environment.contains("DISPLAY=:7") && environment.contains("GPG_TTY=/dev/pts/1"))
  }

  @Test func `it is told the terminal and the language as gpg-agent tells them`() {
    let all = ["GPG_TTY": "/dev/pts/1", "TERM": "dumb", "LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"]
    #expect(
      PinentryProgram.options(variables(all)) == [
        "ttyname=/dev/pts/1", "ttytype=dumb", "lc-ctype=de_DE.UTF-8", "lc-messages=C",
      ])
  }

  @Test(.enabled(if: access("/usr/bin/pinentry", X_OK) == 0, "needs a pinentry, which `make deps` installs"))
  func `Debian's alternative is run, or the one that a variable names`() throws {
    #expect(PinentryProgram.path(variables([:])) == "/usr/bin/pinentry")
    #expect(PinentryProgram.path(variables(["SIGNET_PINENTRY": "/bin/cat"])) == "/bin/cat")
    #expect(PinentryProgram.path(variables(["SIGNET_PINENTRY": "/proc/nonexistent"])) == nil)
  }

  @Test func `this program itself is never its own pinentry`() throws {
    let own = try RawFile.target(of: "/proc/self/exe")
    #expect(PinentryProgram.path(variables(["SIGNET_PINENTRY": own])) == nil)
  }
}
