import NIOCore
import NIOSSL

/// Looks at the key of a server after the handshake and before anything is sent.
enum PinCheck {
  /// Succeeds where the certificate's key is one of the pins; closes the connection otherwise.
  static func run(_ pins: Set<PublicKeyPin>, of host: String, on channel: any Channel) -> EventLoopFuture<Void> {
    let check = channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
      guard let key = try certificate?.extractPublicKey().toSPKIBytes(), pins.contains(PublicKeyPin(subjectPublicKeyInfo: key))
      else { throw NetworkError.notPinned(host: host) }
    }
    check.whenFailure { _ in channel.close(promise: nil) }
    return check
  }
}
