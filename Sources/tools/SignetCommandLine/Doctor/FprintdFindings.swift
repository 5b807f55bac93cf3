import SignetMachine
import SignetWords

/// Users who have fingers enrolled with fprintd, and none with Signet.
struct FprintdFindings {
  let machine: Machine

  private static let folder = "/var/lib/fprint"
  /// As many as a line can name.
  private static let most = 5

  var all: [Finding] {
    guard machine.isRoot else { return [] }
    let users = names(FprintdFindings.folder).filter { hasPrint($0) && !hasFinger($0) }.prefix(FprintdFindings.most)
    guard let first = users.first else { return [] }
    return [.warn(.state, ImportText.left(Array(users)), "signet import fprintd --user \(first)")]
  }

  private func names(_ folder: String) -> [String] { machine.names(folder) ?? [] }

  private func hasPrint(_ user: String) -> Bool {
    let own = "\(FprintdFindings.folder)/\(user)"
    return names(own).contains { driver in
      names("\(own)/\(driver)").contains { !names("\(own)/\(driver)/\($0)").isEmpty }
    }
  }

  /// True also for who has no account here: there is nobody to take anything over for.
  private func hasFinger(_ user: String) -> Bool {
    let accounts = machine.text("/etc/passwd")?.split(separator: "\n") ?? []
    guard let account = accounts.first(where: { $0.hasPrefix("\(user):") }) else { return true }
    guard let uid = account.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2).first else { return true }
    return names("/var/lib/signet/users/\(uid)").contains { $0.hasSuffix(".template") }
  }
}
