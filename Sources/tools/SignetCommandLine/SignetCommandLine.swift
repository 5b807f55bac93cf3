// SignetCommandLine is the command `signet`: it asks signetd and tells people or programs what it answered. It decides
// nothing, and holds no right that its user has not.
import ArgumentParser
import Glibc
import SignetLanguage
import SignetMemory
import SignetWords

/// The program's entry, apart from the executable so that tests reach what it is made of.
public enum SignetCommandLine {
  /// Runs the command that the process's arguments name, and exits with an `ExitStatus`.
  public static func main() -> Never {
    forbidCrashReports()
    speakUsersLanguage()
    do {
      var command = try SignetCommand.parseAsRoot()
      try command.run()
      exit(flushed(.done))
    } catch let failure as CommandFailure {
      if !failure.message.isEmpty { Report.complain("signet: \(failure.message)") }
      exit(flushed(failure.status))
    } catch {
      exit(explain(error))
    }
  }

  /// For the other names of the program: a text as it is shown on the terminal that it goes to.
  public static func fitted(_ text: String, for descriptor: Int32) -> String { Report.broken(text, for: descriptor) }

  /// ArgumentParser's own errors, and its way to print help: its usage status 64 becomes ours.
  private static func explain(_ error: any Error) -> Int32 {
    let text = message(error)
    guard SignetCommand.exitCode(for: error).isSuccess else {
      Report.complain(lines: text)
      return ExitStatus.usage.rawValue
    }
    print(text)
    return flushed(.done)
  }

  private static func message(_ error: any Error) -> String {
    var text = SignetCommand.fullMessage(for: error, columns: 100_000)
    // Not of a version, nor of a shell's script.
    guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("Error: ") else { return text }
    if text.hasPrefix("OVERVIEW: \(SignetCommand.configuration.abstract)\n") { text += "\n\n" + SignetCommand.exitStatuses }
    if let mistake = MistypedCommand(CommandLine.arguments.dropFirst()) { text = mistake.explained(text) }
    return FittedText.broken(ParserText.translated(text), columns: Report.width(of: STDOUT_FILENO) ?? 80)
  }

  /// Data that could not be written (a full disk behind a redirection) is not "done".
  private static func flushed(_ status: ExitStatus) -> Int32 {
    guard fflush(nil) == 0 else {
      Report.complain("signet: \(ObstacleText.outputUnwritten(errno))")
      return ExitStatus.refused.rawValue
    }
    return status.rawValue
  }
}
