// SignetCredential gives access tokens to programs that ask a helper for them: git, docker and podman, kubectl, AWS. It asks the user's
// agent, which serves open sessions only, and keeps nothing.
import Glibc
import SignetLanguage

/// What the asking program says: a few lines, never more than this many bytes.
private let limit = 64 << 10

/// The whole of signet-credential. Returns the status to exit with.
///
/// - Parameters:
///   - name: as what it was called: `docker-credential-NAME` is docker's way to name helpers.
///   - words: the rest of the command line.
///   - fit: what breaks a text for the terminal that it goes to.
public func runCredential(name: String, _ words: [String], fit: (String, Int32) -> String) -> Int32 {
  speakUsersLanguage()
  if words == ["--help"] || words == ["-h"] { return write(fit(usage, STDOUT_FILENO) + "\n", to: STDOUT_FILENO) ? 0 : 1 }
  let credential: Credential
  do throws(CredentialFailure) { credential = try Credential(name: name, arguments: words) } catch { return complain(error) }
  do throws(CredentialFailure) {
    return write(try credential.answer(to: credential.readsInput ? readInput() : ""), to: STDOUT_FILENO) ? 0 : 1
  } catch {
    guard credential.failsOnOutput else { return complain(error) }
    _ = write(error.message + "\n", to: STDOUT_FILENO)
    return 1
  }
}

private var usage: String {
  say(
    """
    usage: signet-credential git|docker [--server SERVER] [--issuer URL] [--account NAME] [--agent PATH] OPERATION
           signet-credential kubectl --issuer URL [--account NAME] [--agent PATH] [--id-token]
           signet-credential aws --issuer URL --role ARN [--endpoint URL] [--role-session NAME] [--duration SECONDS] \
    [--account NAME] [--agent PATH]
           docker-credential-signet OPERATION
    git, docker, kubectl and AWS call it for a token. See signet-credential(1).
    """)
}

private func complain(_ failure: CredentialFailure) -> Int32 {
  _ = write("signet-credential: \(failure.message)\n", to: STDERR_FILENO)
  return 1
}

private func readInput() -> String {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while bytes.count < limit {
    let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    bytes += chunk.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Whether all of it was taken.
private func write(_ text: String, to descriptor: Int32) -> Bool {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress!, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
