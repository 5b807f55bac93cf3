import CLinux
import Glibc
import SignetMemory
import SignetPinentry
import SignetVocabulary

/// Whether what was typed is the passphrase that it is kept for, by the word of who will use it.
enum PassphraseCheck: Equatable {
  case right
  case wrong
  /// It could not be asked.
  case unknown

  static func of(_ value: borrowing SecretBytes, for name: ItemName) -> PassphraseCheck {
    switch name.service {
    case "ssh-key": ofKey(value, name.account)
    case "gpg": AgentCheck.check(value, keygrip: name.account)
    default: .right
    }
  }

  /// The variable that makes signet-askpass answer with what comes on the descriptor that it names.
  static let variable = "SIGNET_ASKPASS_ANSWER"

  /// ssh-keygen reads the private key, and asks this program, which hands on what was typed. It is in no argument and no
  /// variable.
  private static func ofKey(_ value: borrowing SecretBytes, _ path: String) -> PassphraseCheck {
    var ends: [Int32] = [-1, -1]
    guard path.hasPrefix("/"), let own = ownPath(),
      unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return .unknown }
    defer { for end in ends { close(end) } }
    let sent = unsafe value.span.withUnsafeBytes { unsafe send(ends[0], $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
    guard sent == value.count, shutdown(ends[0], Int32(SHUT_WR)) == 0 else { return .unknown }
    let environment = [
      "PATH=/usr/bin:/bin", "SSH_ASKPASS=\(own)", "SSH_ASKPASS_REQUIRE=force", "DISPLAY=:", "\(variable)=9", "LC_ALL=C",
    ]
    guard let status = run(["/usr/bin/ssh-keygen", "-y", "-f", path], environment, passing: ends[1]) else { return .unknown }
    // A key without a passphrase is read without asking: then nothing was proved.
    var byte: UInt8 = 0
    guard unsafe recv(ends[1], &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 else { return .unknown }
    return status == 0 ? .right : .wrong
  }

  /// The file is `signet`, which goes by this name here, too.
  private static func ownPath() -> String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    let file = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return file.lastIndex(of: "/").map { file[...$0] + "signet-askpass" }
  }

  /// Runs a program to its end with one descriptor more, which is its 9; its exit status.
  static func run(_ words: [String], _ environment: [String], passing descriptor: Int32, output: Int32 = -1) -> Int32? {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    let (from, to) = (clinux_duplicate(descriptor, 10), clinux_duplicate(output, 10))
    defer { for copy in [from, to] where copy >= 0 { close(copy) } }
    for standard: Int32 in 0...2 { _ = unsafe posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
    if from >= 0 { _ = unsafe posix_spawn_file_actions_adddup2(&actions, from, 9) }
    if to >= 0 { _ = unsafe posix_spawn_file_actions_adddup2(&actions, to, 1) }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var (pid, status): (pid_t, Int32) = (0, 0)
    guard unsafe posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables) == 0 else { return nil }
    while unsafe waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// Answers ssh-keygen, where this process is the one that it asks; `nil` where it is not.
  static func answer() -> AskpassStatus? {
    guard Variables.value(variable) == "9" else { return nil }
    guard var value = SecretBytes(capacity: ItemLimit.value) else { return .refused }
    let count = unsafe value.replace { buffer in unsafe recv(9, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
    guard count > 0 else { return .refused }
    return Output.write(value.span) && Output.write("\n") ? .done : .refused
  }
}
