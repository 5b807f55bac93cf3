import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetConfiguration
import SignetVocabulary

/// Which readers a closed lid covers.
enum LidCover: Equatable {
  case none
  case builtIn
  case all

  func leaves(_ reader: ReaderDescription) -> Bool {
    switch self {
    case .none: true
    case .builtIn: !reader.isBuiltIn
    case .all: false
    }
  }
}

/// What a closed lid means for the finger.
package struct LidPolicy: Sendable {
  /// What signet.conf(5) says.
  let rule: LidRule
  let lid: Lid

  /// As the lid is now.
  var cover: LidCover {
    guard rule != .ignore, lid.isClosed else { return .none }
    return rule == .passcode ? .all : .builtIn
  }

  /// The readers with what the lid is to them, which comes first: one that it covers is not even opened.
  package func marked(_ readers: [ReaderDescription]) -> [ReaderDescription] {
    let cover = cover
    return readers.map { reader in
      var told = reader
      // signet-reader says nothing of the lid that is believed.
      if told.obstacle == .lidClosed { told.obstacle = .none }
      if !cover.leaves(reader) { told.obstacle = .lidClosed }
      return told
    }
  }
}

extension Attempt {
  /// What a closed lid leaves of a user's fingers; `nil` where a hand reaches none of the readers they belong to.
  ///
  /// Opens no reader. Where nobody says which readers there are, or where none of them is known, the lid covers nothing: what is wrong
  /// is said when they are opened.
  func reach(
    of fingers: [EnrolledFinger], in phase: PermittedRequests.Phase
  ) throws(ClientConnection.Interruption) -> Waited<[EnrolledFinger]?> {
    let cover = prover.lid.cover
    switch cover {
    case .none: return .answer(fingers)
    case .all: return .answer(nil)
    case .builtIn: break
    }
    client.phase = phase
    let readers: [ReaderDescription]
    switch try inventory(heartbeats: true) {
    case .answer(let listed?): readers = listed
    case .answer(nil): return .answer(fingers)
    case .request(let kind): return .request(kind)
    }
    let known = readers.filter { reader in fingers.contains { $0.reader == reader.identifier } }
    if known.isEmpty { return .answer(fingers) }
    let open = known.filter(cover.leaves)
    return .answer(open.isEmpty ? nil : fingers.filter { finger in open.contains { $0.identifier == finger.reader } })
  }
}
