import SignetContexts
import SignetCoreFoundation

/// The access groups of Apple's systems, as far as there is something like them here: each program is in one, its own. They are
/// names only. Which program may read what is signetd's to decide, whatever a query says.
package enum AccessGroup {
  /// A group of items of smart cards, which each program is in on Apple's systems. Nothing is in it here.
  static let token = "com.apple.token"

  /// This program's, by what signetd calls a program.
  package static let own: String = {
    let environment = ProcessInfo.processInfo.environment
    if let application = environment["FLATPAK_ID"] { return "flatpak:\(application)" }
    if let snap = environment["SNAP_NAME"] { return "snap:\(snap)" }
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? Prompting.program
  }()

  /// The group of what that program stored, as signetd names it: nothing, where it does not know.
  static func name(of creator: String) -> String {
    // In a unit of the system the unit's name stands behind it.
    creator.isEmpty || creator == own || creator.hasPrefix(own + " (") ? own : creator
  }
}
