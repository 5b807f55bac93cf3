// Signs in by each of the three services in turn. Arguments: an identity provider, this program's name there, a root of TLS.
import SignetAuth

let given = CommandLine.arguments
let provider = given.count == 4 ? OAuth2Client(issuer: given[1], clientID: given[2]) : nil
let configuration = AuthConfiguration(
  account: "demo", oauth2: provider, localSession: .signetdSession(), localJWT: .signetdTokens(audience: "demo"))
let container = try AuthContainer.build(
  configuration: configuration, authType: .session, trust: ServerTrust(additionalRoots: Array(given.dropFirst(3))))

for type in AuthType.allCases where type != .oauth2 || provider != nil {
  try container.switchAuthType(to: type)
  let result = try await container.login(credentials: type == .oauth2 ? .browser : .local)
  print("\(type.rawValue): \(result.user.name ?? result.user.id) is signed in: \(container.isAuthenticated)")
  try await container.logout()
  print("\(type.rawValue): signed out: \(!container.isAuthenticated)")
}
