import CLinux
import Foundation
import Glibc

/// Providers that nobody here wrote, over TLS on the loopback: see Tests/Providers. They end with this value.
/// Any thread may use it: nothing of it changes.
public final class ProviderRig: @unchecked Sendable {
  /// The virtual environment of Tests/Providers/install.
  public static let environment = getenv("SIGNET_PROVIDERS").map { String(cString: $0) }
  public static let reasonToSkip = "needs SIGNET_PROVIDERS, the folder that Tests/Providers/install made"

  /// Its line of JSON.
  public let facts: [String: Any]
  private let program: Program
  private let input: Int32

  public static let folder = #filePath.dropLast("Tests/SignetTestKit/ProviderRig.swift".count) + "Tests/Providers"

  /// - Parameters:
  ///   - options: of providers.py, lifetimes above all.
  ///   - network: where they are; the machine's own where none is given.
  public init(only names: String, options: [String] = [], network: Network? = nil, in folder: String) throws {
    guard let environment = ProviderRig.environment else { throw TestKitError(ProviderRig.reasonToSkip) }
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw TestKitError("no pipe") }
    let lines = try Lines()
    let command = ["\(environment)/bin/python", "-B", "\(ProviderRig.folder)/providers.py", "--only", names]
    program = try Program(
      (network?.prefix ?? []) + command + options + ["\(folder)/providers"],
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(folder)"], descriptors: [0: ends[0], 1: lines.writer])
    close(ends[0])
    input = ends[1]
    try lines.read(until: "\n")
    guard let object = try JSONSerialization.jsonObject(with: Data(lines.text.utf8)) as? [String: Any] else {
      throw TestKitError("no JSON of the providers: \(lines.text)")
    }
    facts = object
  }

  deinit { close(input) }

  /// What stands behind names, one in another.
  public func fact(_ names: String...) throws -> String {
    var value: Any? = facts
    for name in names { value = (value as? [String: Any])?[name] }
    guard let text = value as? String else { throw TestKitError("no \(names) in \(facts)") }
    return text
  }

  /// The process of a provider, to stop or to kill it.
  public func pid(of provider: String) throws -> pid_t {
    let number = (facts[provider] as? [String: Any])?["pid"] as? Int
    guard let number, number > 1 else { throw TestKitError("no \(provider)") }
    return pid_t(number)
  }

  /// The password of somebody who has an account with each provider.
  public func password(of name: String) throws -> String {
    let account = (facts["accounts"] as? [[String: String]])?.first { $0["name"] == name }
    guard let password = account?["password"] else { throw TestKitError("no \(name)") }
    return password
  }

  public var authority: String { get throws { try fact("authority") } }

  /// Writes a browser in which alice signs in, as `xdg-open` in this folder; `browser.words` then has what it was opened with, and
  /// the mode and the owner of that.
  public func writeBrowser(to folder: String) throws {
    guard let environment = ProviderRig.environment, let alice = (facts["accounts"] as? [[String: String]])?.first,
      let name = alice["name"], let password = alice["password"]
    else { throw TestKitError("no alice") }
    let script = """
      #!/bin/sh
      { printf '%s\\n' "$@"; stat -c '%a %u' "$1"; } > '\(folder)/browser.words' 2>&1
      printf '%s\\n%s\\n' '\(name)' '\(password)' |
        '\(environment)/bin/python' -B '\(ProviderRig.folder)/browser.py' --ca '\(try authority)' "$@" >> '\(folder)/browser.log' 2>&1
      """
    try RawFile.create("\(folder)/xdg-open", Array((script + "\n").utf8))
    chmod("\(folder)/xdg-open", 0o755)
  }
}
