import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
import SignetConfiguration
import SignetVault
import SignetVocabulary

/// Whether the owner has to be asked before a program gets an item that another one stored.
///
/// The answer is a finger or the passcode, given now and after both names were shown: what was proved before was proved for
/// something else.
struct ProgramConsent {
  private let access: VaultAccess
  private let name: ItemName
  private let programs: ItemPrograms
  /// The program that asks; empty where it is not known.
  private let program: String
  /// Whether the owner has to be asked.
  let isNeeded: Bool

  init(_ access: VaultAccess, to name: ItemName, of programs: ItemPrograms) {
    (self.access, self.name, self.programs) = (access, name, programs)
    let consent = access.prover.configuration.applicationConsent
    // An item whose program is not known belongs to no program.
    let isToldApart = consent != .off && !programs.creator.isEmpty
    program = isToldApart ? access.client.program.text : ""
    let isAdmitted = consent == .keep && programs.includes(program)
    isNeeded = isToldApart && !programs.isCreator(program) && !isAdmitted
  }

  /// Shows who wants whose item, before anything is asked for.
  func show() throws(ClientConnection.Interruption) {
    guard isNeeded else { return }
    let creator = programs.creator
    let names = [ProgramIdentity.shown(program, beside: creator), ProgramIdentity.shown(creator, beside: program)]
    try access.client.show(.consent, detail: names.joined(separator: "\n"))
  }

  /// The program whose answer is to be kept; empty for none.
  var toKeep: String { isNeeded && access.prover.configuration.applicationConsent == .keep ? program : "" }

  /// Keeps the answer, once it was given.
  func keep() {
    if toKeep.isEmpty { return }
    do throws(VaultError) { try access.prover.vault.admit(toKeep, to: name, of: access.user) } catch {
      // The owner has given it for this time, and will be asked again.
      Log.write(.error, "the consent is not kept: \(error.description)", [("user", access.user.name)])
    }
  }
}
