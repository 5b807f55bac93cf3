import SignetTestKit

/// A provider and two machines of alice's, each with a network of its own: both reach the provider, and nothing else.
final class TwoMachines {
  let desk: AgentWorld
  let laptop: AgentWorld
  let laptopNetwork: Network
  private let folder: String

  init() throws {
    // Addresses for examples (RFC 5737).
    let (here, desks, laptops) = ("192.0.2.1", "192.0.2.2", "192.0.2.3")
    let (provider, deskNetwork) = (try Network(), try Network())
    laptopNetwork = try Network()
    try provider.connect("desk", address: here, to: deskNetwork, address: desks)
    try provider.connect("laptop", address: here, to: laptopNetwork, address: laptops)
    folder = try makeTemporaryFolder("machines")
    let rig = try ProviderRig(only: "django", options: ["--address", here], network: provider, in: folder)
    desk = try AgentWorld(at: rig, network: deskNetwork)
    laptop = try AgentWorld(at: rig, network: laptopNetwork)
  }

  deinit { removeTree(folder) }

  var issuer: String { get throws { try desk.issuer } }
}
