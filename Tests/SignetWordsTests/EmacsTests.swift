import Foundation
import SignetTestKit
import Testing

/// Emacs hides what is typed only behind a prompt that it knows, and it knows them by their words: in its shell (comint), and in Tramp.
///
/// The words are the same in Emacs 28 to 30. comint wants one of them at the beginning of the line, or behind an English "Enter".
@Suite(.enabled(if: access("/usr/bin/emacs", X_OK) == 0, "needs Emacs (Debian: emacs-nox)"))
struct EmacsTests {
  /// Says which prompts an expression of Emacs' own does not know.
  private static let look = #"""
    (progn (require 'comint) (require 'tramp)
      (let ((case-fold-search t))
        (dolist (prompt command-line-args-left)
          (unless (string-match-p comint-password-prompt-regexp prompt) (princ (concat "comint: " prompt "\n")))
          (unless (string-match-p (concat tramp-password-prompt-regexp "\\'") prompt) (princ (concat "Tramp: " prompt "\n")))))
      (kill-emacs))
    """#

  private func unknown(_ prompts: [String]) throws -> [String] {
    let words = ["/usr/bin/emacs", "--batch", "-Q", "--eval", EmacsTests.look] + prompts
    return try Program.output(words, environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"])
      .split(separator: "\n").map(String.init)
  }

  /// Whether somebody who sees the English sentence types the passcode behind it.
  private func asksForPasscode(_ sentence: String) -> Bool { sentence.contains(/(?i)pass(code|word): ?$/) }

  @Test func `Emacs knows each prompt for the passcode in each language`() throws {
    var prompts: [String] = []
    for language in Catalogue.languages {
      let asking = try Catalogue(language + ".po").entries.filter { asksForPasscode($0.sentence) }
      #expect(asking.count >= 5, "\(language)")
      prompts += asking.map(\.sentence) + asking.flatMap(\.translations)
    }
    #expect(try unknown(Array(Set(prompts)).sorted()) == [])
  }

  @Test func `a prompt in other words would be seen`() throws {
    #expect(
      try unknown(["Finger oder Geheimnis: ", "Passcode"]) == [
        "comint: Finger oder Geheimnis: ", "Tramp: Finger oder Geheimnis: ", "comint: Passcode", "Tramp: Passcode",
      ])
  }
}
