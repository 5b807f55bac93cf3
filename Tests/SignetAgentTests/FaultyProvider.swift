import Glibc
import SignetTestKit

/// A device that is bound to an account at a real provider, with a way between them that makes faults: see Tests/Providers/faults.py.
final class FaultyProvider {
  let world: AgentWorld
  let issuer: String
  private let tokenEndpoint: String

  /// - Parameter name: of the provider.
  init(_ name: String) throws {
    world = try AgentWorld(only: name, options: ["--faulty"], reader: .device, launcher: Scene.smallDisk)
    issuer = try world.rig.fact(name, "issuer")
    tokenEndpoint = issuer.split(separator: "/").last.map { "/\($0)/token" + (name == "django" ? "/" : "") } ?? ""
    try world.openSession()
    try bind()
  }

  /// Without an unbinding before it.
  func bind() throws {
    let bound = try world.bind([issuer])
    guard bound.status == 0 else { throw TestKitError("not bound: \(bound.screen)") }
  }

  // MARK: - faults

  private var folder: String { world.folder.path + "/providers" }

  /// - Parameter path: what the paths end with that it is about; the token endpoint where none is given.
  func make(_ fault: String, at path: String? = nil) throws {
    try RawFile.create(folder + "/fault", Array("\(fault) \(path ?? tokenEndpoint)\n".utf8))
  }

  func mend() throws {
    guard unlink(folder + "/fault") == 0 else { throw TestKitError("there is no fault") }
  }

  /// Waits until a request has met the fault.
  func awaitMeeting(_ fault: String) throws {
    try wait(for: "a request to meet `\(fault)`") {
      (try? RawFile.text(folder + "/faults"))?.contains("\(fault) \(tokenEndpoint)\n") ?? false
    }
  }

  // MARK: - the agent

  /// The next agent has nothing in memory, and refreshes at once.
  func endAgent(by signal: Int32 = SIGTERM) throws {
    world.agent.signal(signal)
    try world.startAgentAnew()
  }

  func token() throws -> (status: Int32, screen: String) { try world.run("token", "--issuer", issuer) }

  func startToken() throws -> PseudoTerminal { try world.start(["token", "--issuer", issuer]) }

  /// Whether something lies there for the vault.
  var hasHandover: Bool {
    get throws { try RawFile.names(in: world.scene.daemon.folder + "/bindings").contains { $0.hasPrefix("handover-") } }
  }
}
