import Glibc
import SignetCredential
import SignetLanguage
import SignetVocabulary

/// What the asking program says: a few lines, never more than this many bytes.
let limit = 64 << 10

func readInput() -> String {
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

func write(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress!, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { exit(1) }
    rest = rest.dropFirst(count)
  }
}

speakUsersLanguage()
if CommandLine.arguments.dropFirst().first == "--version" {
  print("signet-credential \(Version.text)")
  exit(0)
}
func complain(_ failure: CredentialFailure) -> Never {
  write("signet-credential: \(failure.message)\n", to: STDERR_FILENO)
  exit(1)
}

let credential: Credential
do throws(CredentialFailure) {
  credential = try Credential(name: CommandLine.arguments.first ?? "", arguments: Array(CommandLine.arguments.dropFirst()))
} catch { complain(error) }
do throws(CredentialFailure) {
  write(try credential.answer(to: credential.readsInput ? readInput() : ""), to: STDOUT_FILENO)
} catch {
  guard credential.failsOnOutput else { complain(error) }
  write(error.message + "\n", to: STDOUT_FILENO)
  exit(1)
}
