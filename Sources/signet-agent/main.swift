import Glibc
import SignetAgent
import SignetVocabulary

var options = AgentServer.Options()
var words = CommandLine.arguments.dropFirst()[...]
func value(_ name: String) -> String {
  guard let value = words.popFirst() else { fail("\(name) needs a value; see signet-agent(1).") }
  return value
}
func fail(_ message: String) -> Never {
  let line = "signet-agent: \(message)\n"
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  exit(1)
}
while let word = words.popFirst() {
  switch word {
  case "--listen": options.path = value(word)
  case "--socket": options.socket = value(word)
  case "--state": options.state = value(word)
  case "--trust": options.roots.append(value(word))
  case "--version":
    print("signet-agent \(Version.text)")
    exit(0)
  default: fail("\(word) is no option of signet-agent; see signet-agent(1).")
  }
}
do throws(AgentServer.StartFailure) { try AgentServer.run(options) } catch { fail(error.message) }
