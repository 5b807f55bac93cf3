import Glibc
import SignetAgent
import SignetLanguage
import SignetVocabulary

speakUsersLanguage()
// libcurl would write the keys of the agent's connections where it says: a variable of somebody else's must not give tokens away. No
// other thread is there that reads variables: that is the `unsafe`.
_ = unsafe unsetenv("SSLKEYLOGFILE")
do throws(AgentServer.StartFailure) {
  switch try AgentServer.Options.parse(CommandLine.arguments.dropFirst()) {
  case .version: print("signet-agent \(Version.text)")
  case .serve(let options): try AgentServer.run(options)
  }
} catch {
  let line = "signet-agent: \(error.message)\n"
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  exit(1)
}
