import Glibc
import SignetAgent
import SignetLanguage
import SignetVocabulary

speakUsersLanguage()
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
