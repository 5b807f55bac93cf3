// Times of tokens for `make bench`, as one JSON object: of signet-agent (`ask`, and `command`, which is `signet token --issuer` from
// start to end), of signetd (`issue`), and of refreshing at django-oauth-toolkit (`refresh`), each a list of microseconds;
// `providerProcessor` is how many of these the provider computed for one refresh.
import Foundation
import Glibc
import SignetAgentProtocol
import SignetAuth
import SignetAuthTestKit
import SignetBytes
import SignetMemory
import SignetSessionTokens
import SignetTestKit

struct Times: Encodable {
  var ask: [Double] = []
  var command: [Double] = []
  var issue: [Double] = []
  var refresh: [Double] = []
  var providerProcessor = 0.0
}

func time(_ count: Int, _ work: () throws -> Void) rethrows -> [Double] {
  try (0..<count).map { _ in
    let start = PAMHost.microseconds()
    try work()
    return Double(PAMHost.microseconds() - start)
  }
}

/// Microseconds that a process has computed.
func processor(_ pid: pid_t) throws -> Double {
  let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
  let words = text.split(separator: ")").last?.split(separator: " ") ?? []
  guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else {
    throw TestKitError("no times of \(pid)")
  }
  return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))) * 1e6
}

let world = try AgentWorld()
let folder = world.scene.daemon.folder
let issuer = try world.issuer
try world.openSession()
let bound = try world.bind()
guard bound.status == 0 else { throw TestKitError("not bound: \(bound.screen)") }
let digits = world.token.hexadecimal
var times = Times()

func ask() throws {
  let connection = try AgentConnection(path: "\(folder)/signet-agent")
  try connection.send(AgentRequest(.token, session: digits, issuer: issuer))
  guard case .token = try connection.receive(AgentReply.self) else { throw TestKitError("no token") }
}
times.ask = try time(2000, ask)

let signet = try ReaderChannel.program("signet")
times.command = try world.inSession {
  try time(300) {
    let program = try Program([signet, "token", "--issuer", issuer], environment: world.environment)
    guard try program.waitForExit() == 0 else { throw TestKitError("no token") }
  }
}

let sessions = SessionTokenClient(path: world.scene.daemon.socket)
guard let token = SecretBytes(hexadecimal: digits, count: world.token.count) else { throw TestKitError("no token") }
times.issue = try time(500) { _ = try sessions.issue(for: token, audience: "mail") }

/// Opens the page in the rig's browser.
struct Browser: BrowserOpener {
  let path: String
  func open(_ url: String) async throws { _ = try Program.output([path, url]) }
}
let service = OAuth2AuthService(
  client: OAuth2Client(issuer: issuer, clientID: try world.rig.fact("django", "clients", "native", "id"), scopes: ["openid"]),
  account: "", storage: MemoryTokenStorage(),
  network: try HTTPNetworkClient(trust: ServerTrust(additionalRoots: [try world.rig.authority])),
  interaction: OAuth2AuthService.Interaction(browser: Browser(path: "\(folder)/xdg-open")))
_ = try await service.login(credentials: .browser)
let provider = try world.rig.pid(of: "django")
let before = try processor(provider)
for _ in 0..<100 {
  let start = PAMHost.microseconds()
  _ = try await service.refreshAuth()
  times.refresh.append(Double(PAMHost.microseconds() - start))
}
times.providerProcessor = (try processor(provider) - before) / 100
print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
