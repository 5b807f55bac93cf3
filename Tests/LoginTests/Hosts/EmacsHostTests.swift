import Foundation
import Glibc
import SignetTestKit
import Testing

/// Emacs, which answers a prompt that it knows without showing the passcode. It is given the passcode for each that it asks for.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: access("/usr/bin/emacs", X_OK) == 0, "needs Emacs (Debian: emacs-nox)"))
struct `sudo in Emacs` {
  private let world: World

  init() throws {
    world = try World()
    try world.addProbe()
    try world.addScriptFiles()
    try world.waitForFingerForever()
    try world.enroll()
  }

  private func run(_ expression: String, _ setting: String = "") throws -> String {
    let answer = #"(advice-add (quote read-passwd) :override (lambda (&rest _) (getenv "PASSCODE")))"#
    let run = try RunningScript(
      "\(setting) emacs --batch -Q --eval '(progn \(answer) \(expression))'", passcode: World.passcode, .nowhere, in: world)
    #expect(try run.finish() == 0, "\(run.errors)")
    return run.output
  }

  /// The shell's buffer in the end: of a prompt that Emacs did not know there is none.
  private static let shell = #"""
    (require (quote shell))
    (setq explicit-shell-file-name "/bin/sh")
    (let* ((buffer (shell)) (process (get-buffer-process buffer)))
      (set-process-query-on-exit-flag process nil)
      (process-send-string process "sudo id -u; echo en\"\"ded\n")
      (with-current-buffer buffer
        (while (not (save-excursion (goto-char (point-min)) (search-forward "\nended" nil t)))
          (accept-process-output process 1))
        (princ (buffer-string))))
    """#

  @Test(arguments: ["en", "de", "ja", "ko", "zh_CN", "zh_TW"])
  func `its shell answers the prompt in each language, and shows no passcode`(language: String) throws {
    let buffer = try run(Self.shell, "LANGUAGE=\(language)")
    #expect(buffer.contains("\n0\n"), "\(buffer)")
    #expect(!buffer.contains("horse"), "\(buffer)")
  }

  @Test(arguments: ["en", "de", "ja", "ko", "zh_CN", "zh_TW"])
  func `Tramp becomes root with the passcode, at once`(language: String) throws {
    let become = #"""
      (require (quote tramp))
      (let ((default-directory "/sudo::/")) (princ (shell-command-to-string "id -u")))
      """#
    #expect(try run(become, "LANGUAGE=\(language)") == "0\n")
  }
}
