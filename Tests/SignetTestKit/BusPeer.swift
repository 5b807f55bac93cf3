/// fake_logind.py: somebody on the bus, who is logind once told to be.
public final class BusPeer {
  private let talker: Talker

  public init(on bus: PrivateBus, as launcher: [String] = []) throws {
    let script = #filePath.dropLast("BusPeer.swift".count) + "fake_logind.py"
    talker = try Talker(
      launcher + ["/usr/bin/python3", "-B", String(script), bus.address], environment: ["PATH=/usr/bin:/bin"], talksOn: 1)
    try talker.line(with: "ready")
  }

  public func does(_ command: String) throws {
    try talker.say(command)
    try talker.line(with: "done")
  }
}
