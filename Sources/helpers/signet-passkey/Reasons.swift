/// What the owner is asked for. The site is named by whichever program has the device, and said to be.
enum Reasons {
  static func make(_ site: Site, _ account: Account? = nil) -> String {
    var line = TextLine()
    if !line.say("make a passkey for what a program calls #", foreign: ShownName.line(site, account).span) {
      line.say("make a passkey")
    }
    return text(line)
  }

  static func use(_ site: Site, _ account: Account? = nil) -> String {
    var line = TextLine()
    if !line.say("use a passkey for what a program calls #", foreign: ShownName.line(site, account).span) {
      line.say("use a passkey")
    }
    return text(line)
  }

  static var manage: String {
    var line = TextLine()
    line.say("list, rename and delete your passkeys")
    return text(line)
  }

  static var choose: String {
    var line = TextLine()
    line.say("choose this computer's passkeys")
    return text(line)
  }

  private static func text(_ line: borrowing TextLine) -> String { String(decoding: Array(copying: line.span), as: UTF8.self) }
}
