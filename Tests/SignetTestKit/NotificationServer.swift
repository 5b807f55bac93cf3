import Foundation

/// fake_notifications.py: somebody on a bus who shows notifications, or rather tells what would be shown.
public final class NotificationServer {
  /// What it was asked to do.
  public struct Call: Decodable, Equatable, Sendable {
    /// `notify` or `close`.
    public var call: String
    public var number: Int
    public var replaces: Int?
    public var summary: String?
    public var body: String?
    public var actions: [String]?
    public var timeout: Int?
    public var urgency: Int?

    /// That a notification is taken from the screen.
    public static func closing(_ number: Int) -> Call { Call(call: "close", number: number) }
  }

  private let talker: Talker

  public init(on bus: PrivateBus, capabilities: [String] = ["actions", "body", "body-markup"]) throws {
    let script = #filePath.dropLast("NotificationServer.swift".count) + "fake_notifications.py"
    talker = try Talker(
      ["/usr/bin/python3", "-B", String(script), bus.address] + capabilities, environment: ["PATH=/usr/bin:/bin"], talksOn: 1)
    try talker.line(with: "ready")
  }

  /// The next thing that it is asked to do.
  public func next() throws -> Call {
    try JSONDecoder().decode(Call.self, from: Data(talker.line(with: "\"call\"").utf8))
  }

  /// The user chooses a button.
  public func choose(_ button: String, of number: Int) throws { try does("invoke \(number) \(button)") }

  /// It says that a notification is closed: 1 expired, 2 by the user.
  public func close(_ number: Int, reason: Int) throws { try does("close \(number) \(reason)") }

  /// It does not answer any more, until it does.
  public func hold() throws { try does("hold") }
  public func goOn() throws { try does("go") }

  public func end() throws {
    talker.program.signal(9)
    _ = try talker.program.waitForExit()
  }

  private func does(_ command: String) throws {
    try talker.say(command)
    try talker.line(with: "done")
  }
}
