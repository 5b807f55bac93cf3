import SignetFiles
import SignetVocabulary

// What the accounts tell the pins, and ask them.
extension AccountStore {
  /// Why this user's state does not count as the newest; `nil` where it does, or where nobody can tell yet.
  func pinFault(of uid: UInt32, sequence: UInt64) -> SystemError? {
    switch rollbackGuard.fault(of: uid, sequence: sequence) {
    case nil: nil
    case .sequence: .strikesOlder(strikesPath(of: uid))
    case .pins(.fingers): .stateUnpinned("\(users.path)/\(uid)", .fingers)
    case .pins(let fault): .stateUnpinned(rollbackGuard.path, fault)
    }
  }

  /// To be called when the enrolled fingers of a user have changed.
  package func pinFingers(of uid: UInt32) { rollbackGuard.pinFingers(of: uid) }

  /// What stands for a user's enrolled fingers, whoever owns them; see `domainState`. Zeros where there are none.
  package func fingerMark(of uid: UInt32) -> [UInt8] {
    let mark = (try? fingers(of: uid, named: nil)).map { domainState(of: $0.usable) } ?? []
    return mark.count == PinsFile.markLength ? mark : [UInt8](repeating: 0, count: PinsFile.markLength)
  }
}
