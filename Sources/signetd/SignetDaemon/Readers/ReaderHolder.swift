import DaemonService
import SignetVocabulary

/// Who has the readers: whose finger is waited for, and which program asks for it.
package struct ReaderHolder: Equatable, Sendable {
  /// Where the asker is; a later one has the readers first.
  package enum Location: Int, Sendable {
    case elsewhere
    /// In the active session at the seat of the reader, as a program that only asks whose finger it is: no login waits for that.
    case program
    /// In the active session at the seat of the reader: the person who sits before it.
    case seat
  }

  package let user: User
  /// As the asker names it: for the log, and for nobody else.
  package let service: String
  private let isRoot: Bool
  var location: Location

  package init(_ user: User, service: String, by peer: Peer, at location: Location = .elsewhere) {
    self.user = user
    self.service = service
    isRoot = peer.isRoot
    self.location = location
  }

  /// The services that others are told of.
  private static let known: Set = [
    "sudo", "login", "su", "polkit-1", "gdm-password", "gdm-fingerprint", "lightdm", "sddm", "kde", "greetd", "signet enroll",
    "signet delete", "signet import",
  ]

  /// What the prompt of others says of it: one of a few fixed names, and only where root asks. Whatever else an asker calls
  /// itself could be a sentence that makes another user type a password somewhere.
  package var publicName: String { isRoot && ReaderHolder.known.contains(service) ? service : "another program" }

  /// Why another request of the command line gets no readers. Only root and the user are told whose finger is waited for.
  package func refusal(of peer: Peer) -> Refusal {
    .readerBusy(service: publicName, user: peer.mayActAs(user.uid) ? user.name : "another user")
  }
}
