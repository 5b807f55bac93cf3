import Glibc
import SignetContexts
import SignetMemory
import SignetWords

/// The token of this session.
enum TokenKeyring {
  /// Reads the token's hexadecimal digits, or says why there is none.
  static func read(into token: inout SecretBytes, from socket: String = ProgramEnvironment.socket) throws(CommandFailure) {
    do throws(SessionToken.Failure) { try SessionToken.read(into: &token, from: socket) } catch {
      switch error {
      case .unreadable(let code): throw failure(code)
      case .foreign: throw CommandFailure(.refused, ObstacleText.foreignToken)
      }
    }
  }

  static func failure(_ error: Int32) -> CommandFailure {
    switch error {
    case EKEYREVOKED: CommandFailure(.refused, ObstacleText.tokenRevoked)
    case EKEYEXPIRED: CommandFailure(.refused, ObstacleText.tokenExpired)
    case ENOKEY, EACCES: CommandFailure(.refused, ObstacleText.noToken)
    default: CommandFailure(.refused, ObstacleText.keyringUnreadable(error))
    }
  }
}
