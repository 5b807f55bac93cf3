import CPAM
import Glibc
import SignetTestKit

/// The command line.
struct Options {
  static let usage = """
    pam-host token [UID] | token-elsewhere | listen PATH UID | administer PATH UID REQUEST [WORD] [--answers]
    pam-host crowd SOCKET UID SECONDS SEED PAUSE OWNER | flood SOCKET UID SECONDS | owner SOCKET UID USER
    pam-host relay PATH | tap FILE PROGRAM [WORD ...] | guess SECONDS READER SERVICE CONFDIR USER [SEED]
    pam-host --service NAME --confdir DIR [--user NAME] ...
      --runs N                     repeat, in one process
      --fork                       a process for each run: each loads the module
      --preload                    load the module before the first run, and keep it
      --pause USEC                 between runs
      --silent                     PAM_SILENT
      --rhost HOST --tty NAME      set the items
      --thread                     have another thread, which does nothing
      -S, -p WORD, -u WORD         sudo's, for whoever reads the command line; without effect
      --answers                    read answers from descriptor 3, one a line
      --answer KIND                nothing | long:N | failure:CODE | text:TEXT, in order (no secrets: others see arguments)
      --answer-delay USEC          how long the user takes to answer
      --message-code CODE          what the conversation returns for messages
      --change-user NAME           the conversation changes PAM_USER
      --feed SOCKET TEXT           at the first message, send TEXT to a libfprint virtual device (each repetition: at the
                                   next message that asks for a finger, or is no error)
      --kill NAME                  at the first message, send this signal to the own process: INT QUIT TERM HUP TSTP ALRM
      --kill-after USEC NAME       send it this long after pam_authenticate began; with --password, pam_chauthtok
      --sigint HOW                 default | ignore | handle | block
      --pending                    with block: a SIGINT is pending before
      --credentials --session      also pam_setcred; and pam_open_session, pam_close_session
      --account --password         also pam_acct_mgmt; pam_chauthtok
      --in-session COMMAND         run by sh between open and close
      --user-session COMMAND       the same as the user, with the environment that the modules made
      --after-session COMMAND      run by sh after close
      --session-user NAME          PAM_USER becomes another one after pam_authenticate
      --session-in-child           fork after pam_authenticate; the child goes on
      --print                      print each message as it comes
      --settings-at-prompt         print whether the terminal echoes when the conversation is asked something
      --log                        print what goes to the journal
      --state                      compare descriptors, signals, threads, environment, terminal before and after
    """

  var service = ""
  var confdir = ""
  var user: String?
  var runs = 1
  var forks = false
  var preloads = false
  var pause: UInt32 = 0
  var flags: Int32 = 0
  var remoteHost: String?
  var terminal: String?
  var hasThread = false
  var answers: [PAMHost.Answer] = []
  var answerDelay: UInt32 = 0
  var messageCode = PAM_SUCCESS
  var changedUser: String?
  var feeds: [(socket: String, text: String)] = []
  var signal: Int32 = 0
  var signalDelay: UInt32?
  var disposition: String?
  var isPending = false
  var wantsCredentials = false
  var wantsSession = false
  var wantsAccount = false
  var wantsPassword = false
  var sessionCommand: String?
  var userSession: String?
  var sessionUser: String?
  var closedCommand: String?
  var sessionIsInChild = false
  var comparesState = false
  var printsMessages = false
  var printsSettings = false

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let word = rest.popFirst() {
      guard take(word, { rest.popFirst() }) else { return nil }
    }
    if service.isEmpty || confdir.isEmpty { return nil }
  }

  private mutating func take(_ word: String, _ next: () -> String?) -> Bool {
    switch word {
    case "--service": service = next() ?? ""
    case "--confdir": confdir = next() ?? ""
    case "--user": user = next()
    case "--runs": runs = next().flatMap { Int($0) } ?? 1
    case "--fork": forks = true
    case "--preload": preloads = true
    case "--pause": pause = next().flatMap { UInt32($0) } ?? 0
    case "--silent": flags |= Int32(bitPattern: UInt32(PAM_SILENT))
    case "--rhost": remoteHost = next()
    case "--tty": terminal = next()
    case "--thread": hasThread = true
    case "-S": break
    case "-p", "-u": _ = next()
    default: return takeConversation(word, next) || takeSignal(word, next) || takeStep(word, next)
    }
    return true
  }

  private mutating func takeConversation(_ word: String, _ next: () -> String?) -> Bool {
    switch word {
    case "--answers": answers += Options.linesOfDescriptor3().map { .text($0) }
    case "--answer":
      guard let kind = next() else { return false }
      let parts = kind.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (parts[0], parts.count > 1 ? parts[1] : "") {
      case ("nothing", _): answers.append(.nothing)
      case ("long", let count): answers.append(.long(Int(count) ?? 0))
      case ("failure", let code): answers.append(.failure(Int32(code) ?? PAM_CONV_ERR))
      case ("text", let text): answers.append(.text(text))
      default: return false
      }
    case "--answer-delay": answerDelay = next().flatMap { UInt32($0) } ?? 0
    case "--message-code": messageCode = next().flatMap { Int32($0) } ?? PAM_CONV_ERR
    case "--change-user": changedUser = next()
    case "--feed":
      guard let socket = next(), let text = next() else { return false }
      feeds.append((socket, text))
    default: return false
    }
    return true
  }

  private mutating func takeSignal(_ word: String, _ next: () -> String?) -> Bool {
    let names = ["INT": SIGINT, "QUIT": SIGQUIT, "TERM": SIGTERM, "HUP": SIGHUP, "TSTP": SIGTSTP, "ALRM": SIGALRM]
    switch word {
    case "--kill":
      guard let number = next().flatMap({ names[$0] }) else { return false }
      signal = number
    case "--kill-after":
      signalDelay = next().flatMap { UInt32($0) }
      guard let number = next().flatMap({ names[$0] }) else { return false }
      signal = number
    case "--sigint": disposition = next()
    case "--pending": isPending = true
    default: return false
    }
    return true
  }

  private mutating func takeStep(_ word: String, _ next: () -> String?) -> Bool {
    switch word {
    case "--credentials": wantsCredentials = true
    case "--session": (wantsCredentials, wantsSession) = (true, true)
    case "--account": wantsAccount = true
    case "--password": wantsPassword = true
    case "--in-session": sessionCommand = next()
    case "--user-session": userSession = next()
    case "--after-session": closedCommand = next()
    case "--session-user": sessionUser = next()
    case "--session-in-child": sessionIsInChild = true
    case "--state": comparesState = true
    case "--log": break
    case "--print": printsMessages = true
    case "--settings-at-prompt": printsSettings = true
    default: return false
    }
    return true
  }

  static func linesOfDescriptor3() -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(3, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    close(3)
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
