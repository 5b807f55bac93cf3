import SignetTestKit
import Testing

/// What enrolling and deleting cost, as their user sees it on a terminal.
extension `Debian's sudo and login` {
  /// The rows below the command, before anything is answered, and below the last touch.
  private struct Costs {
    let locale, touch: String
    let asked, told: [String]
  }

  private static let costs = [
    Costs(
      locale: "C", touch: "fingerprint reader",
      asked: [
        "2 items open only with the fingers that are enrolled now, and will be gone for good:", "  bound", "  mail, me",
        "To keep one, read it before, with: signet vault get", "Go on? [y/N]",
      ],
      told: ["Enrolled left-thumb.", "2 items are gone with the fingers they were bound to:", "  bound", "  mail, me"]),
    Costs(
      locale: "ko_KR", touch: "손가락을",
      asked: [
        "항목 2개는 지금 등록된 지문으로만 열리므로 영영 사라집니다:", "  bound", "  mail, me", "남기려면 먼저 읽어 두십시오: signet vault get",
        "계속하시겠습니까? [y/N]",
      ],
      told: ["왼손 엄지손가락 지문을 등록했습니다.", "묶여 있던 지문과 함께 항목 2개가 사라졌습니다:", "  bound", "  mail, me"]),
  ]

  @Test func `an item that enrolling costs is named before and after, in the user's language, and a row says when and why`()
    throws
  {
    for cost in Self.costs {
      let world = try World()
      try world.enrollWithVault()
      for (name, access) in [("bound", "biometryCurrentSet"), ("mail me", "biometryCurrentSet"), ("stays", "userPresence")] {
        let words = "printf v | signet vault add \(name) --access \(access)"
        let terminal = try world.runAsUser(["sh", "-c", words])
        try terminal.readToEnd()
        #expect(try terminal.waitForExit() == 0, "\(terminal.screen)")
      }
      let command = ["env", "LC_ALL=\(cost.locale).UTF-8", "signet", "enroll", "left-thumb"]
      let terminal = try world.runAsUser(command)
      try terminal.read(until: "[y/N] ")
      #expect(rows(terminal.screen) == cost.asked)
      terminal.type("y\n")
      try terminal.read(until: cost.locale == "C" ? "Passcode: " : "암호: ")
      terminal.type(World.passcode + "\n")
      try terminal.read(until: cost.touch)
      try world.reader.scan("left")
      for completed in 1..<5 {
        try terminal.read(until: cost.locale == "C" ? "\(completed) of 5" : "] \(completed)")
        try world.reader.scan("left")
      }
      try terminal.readToEnd()
      #expect(try terminal.waitForExit() == 0)
      // Of the reader it says which finger comes first, too.
      #expect(rows(terminal.screen).filter { !$0.hasPrefix("virtual_device:0") }.suffix(cost.told.count) == cost.told[...])

      let list = try world.runAsUser(["sh", "-c", "LC_ALL=\(cost.locale).UTF-8 signet vault list | cat"])
      try list.readToEnd()
      let state = cost.locale == "C" ? "gone: fingers changed, 2" : "잃음: 지문이 바뀜, 2"
      let why = cost.locale == "C" ? ": Enrolled left-thumb" : ": 지문 등록됨: 왼손 엄지손가락"
      let lost = rows(list.screen).filter { $0.contains(state) && $0.hasSuffix(why) }
      #expect(lost.map { $0.prefix { $0 != " " } } == ["bound", "mail"], "\(list.screen)")
      let history = try world.runAsUser(["signet", "history"])
      try history.readToEnd()
      #expect(history.screen.contains("Fingers change: 2 items lost"))
    }
  }

  private func rows(_ screen: String) -> [String] {
    screen.split(separator: "\r\n").map { row in
      let text = String(row)
      return text.hasSuffix(" ") ? String(text.dropLast()) : text
    }
  }
}
