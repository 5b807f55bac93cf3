// SignetCommandLine is the command `signet`: it asks signetd and tells people or programs what it answered. It decides
// nothing, and holds no right that its user has not.
import ArgumentParser
import CLinux
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
    let text = SignetCommand.fullMessage(for: error)
    guard ParserText.translated(text) != text else { return text }
    let columns = Int(clinux_window_columns(STDOUT_FILENO))
    let whole = ParserText.translated(SignetCommand.fullMessage(for: error, columns: 100_000))
    return FittedText.broken(whole, columns: columns > 0 ? columns : 80)
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
