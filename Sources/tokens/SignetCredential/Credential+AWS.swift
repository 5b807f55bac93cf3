import SignetAgentProtocol
import SignetLanguage

extension Credential {
  /// The role of the command line; `nil` where none is named.
  static func role(_ value: (String) throws(CredentialFailure) -> String?) throws(CredentialFailure) -> CloudRole? {
    let (name, session) = (try value("--role"), try value("--role-session"))
    let (endpoint, duration) = (try value("--endpoint"), try value("--duration"))
    guard let name else {
      guard session == nil, endpoint == nil, duration == nil else { throw CredentialFailure(say("a role is named by --role.")) }
      return nil
    }
    guard let seconds = Int(duration ?? "\(CloudRole.standardDuration)"), CloudRole.durations.contains(seconds) else {
      let (least, most) = (CloudRole.durations.lowerBound, CloudRole.durations.upperBound)
      throw CredentialFailure(say("--duration is a number of seconds, \(least) to \(most)."))
    }
    return CloudRole(
      name, sessionName: session ?? CloudRole.standardSessionName, endpoint: endpoint ?? CloudRole.standardEndpoint,
      duration: seconds)
  }

  /// What AWS's tools want of a `credential_process`, version 1.
  func aws() throws(CredentialFailure) -> String {
    let reply = try ask(TokenSource(issuer: issuer, account: account)) { request in
      request.kind = .roleKeys
      request.role = role
    }
    guard case .roleKeys(let keys) = reply else { throw CredentialFailure.noAnswer }
    return line([
      "Version": 1, "AccessKeyId": .string(keys.accessKeyID), "SecretAccessKey": .string(keys.secretAccessKey),
      "SessionToken": .string(keys.sessionToken), "Expiration": .string(keys.expiration),
    ])
  }
}
