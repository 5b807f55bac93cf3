import Foundation
import SignetAuthTestKit
import SignetJWT
import SignetTestKit
import Synchronization

@testable import SignetAuth
@testable import SignetTokenServices

/// Sign-ins at glewlwyd, which takes the ports that are registered and no others. Each gets one of its own.
struct GlewlwydSignIn {
  private static let used = Mutex(0)

  let providers: Providers
  let issuer: String

  init(_ providers: Providers, issuer: String = "issuer") throws {
    self.providers = providers
    self.issuer = try providers.rig.fact("glewlwyd", issuer)
  }

  func callAsFunction(_ clientID: String = "native", proofKey: SigningKey? = nil) throws -> OAuth2SignIn {
    var signIn = try OAuth2SignIn(providers, issuer: issuer, clientID: clientID)
    signIn.client.scopes = ["openid", "account"]
    signIn.client.redirectPort = try nextPort()
    signIn.client.proofKey = proofKey
    return signIn
  }

  /// Without a browser no port is needed.
  func device() throws -> OAuth2SignIn { try OAuth2SignIn(providers, issuer: issuer, clientID: "native") }

  private func nextPort() throws -> Int {
    let ports = (providers.rig.facts["redirectURIs"] as? [String] ?? []).compactMap { (try? Endpoint($0))?.origin.port }
    let number = Self.used.withLock { used in
      defer { used += 1 }
      return used
    }
    guard number < ports.count else { throw TestKitError("all \(ports.count) ports were used") }
    return ports[number]
  }

  /// The key of the client that proves itself by one.
  var deviceKey: SigningKey {
    get throws {
      let pem = try RawFile.text(providers.rig.fact("glewlwyd", "clients", "device", "keyFile"))
      let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
      // An ECPrivateKey (RFC 5915): version 1, and the number.
      guard let der = Data(base64Encoded: base64), let mark = der.firstRange(of: [2, 1, 1, 4, 32]) else {
        throw TestKitError(pem)
      }
      return try SigningKey(
        rawRepresentation: Array(der[mark.upperBound...].prefix(32)),
        keyID: providers.rig.fact("glewlwyd", "clients", "device", "keyID"))
    }
  }

  /// A secret of the client that has one.
  var secret: Password {
    get throws {
      guard let secret = Password(try providers.rig.fact("glewlwyd", "clients", "confidential", "secret")) else {
        throw TestKitError("no secret")
      }
      return secret
    }
  }

  func endpoint(_ path: String) throws -> Endpoint { try Endpoint(issuer + "/" + path) }
}
