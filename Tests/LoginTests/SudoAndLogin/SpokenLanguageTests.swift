import Foundation
import SignetTestKit
import Testing

extension `Debian's sudo and login` {
  /// A locale, and what it says: before a finger or a passcode, and of a miss.
  struct Tongue: Sendable, CustomTestStringConvertible {
    let locale, either, miss: String
    var testDescription: String { locale }
  }

  static let tongues = [
    Tongue(
      locale: "de_DE", either: "Passwort eingeben oder Finger über den Leser ziehen: ",
      miss: "Fingerabdruck nicht erkannt, noch 2 Versuche"),
    Tongue(
      locale: "ko_KR", either: "암호 입력 또는 손가락 문지르기: ", miss: "지문을 인식하지 못했습니다. 2번 남았습니다"),
    Tongue(
      locale: "ja_JP", either: "パスワード または 指のスワイプ: ", miss: "指紋を認識できません。残り 2 回です"),
    Tongue(locale: "zh_TW", either: "密碼 或 滑動手指: ", miss: "無法辨識指紋，還可以試 2 次"),
    Tongue(locale: "zh_CN", either: "密码 或 滑动手指: ", miss: "无法识别指纹，还可以尝试 2 次"),
  ]

  @Test(arguments: tongues)
  func `login speaks the language of the terminal it is on`(tongue: Tongue) throws {
    let world = try World()
    try world.enroll()
    let terminal = try world.run(["env", "LC_ALL=\(tongue.locale).UTF-8", "login", World.user])
    try terminal.read(until: tongue.either)
    try world.reader.scan("wrong")
    // What is left of the longer prompt is blanked, letter by letter as wide as they are, and nothing beyond it.
    let blanks = String(repeating: " ", count: max(0, width(tongue.either) - width(tongue.miss)))
    try terminal.read(until: tongue.miss + blanks + "\r\r\n" + tongue.either)
    try world.reader.scan("right")
    try terminal.read(until: "$ ")
    #expect(!terminal.screen.contains("inger or"), "\(terminal.screen)")
  }

  /// In columns: these languages' letters beyond Latin's take two.
  func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) } }

  @Test func `sudo and signet verify speak the language of who calls them, and C speaks English`() throws {
    let world = try World()
    try world.enroll()
    for (language, prompt, touch) in [
      ("ja", "パスワード または 指のスワイプ: ", "指紋リーダーの上で指をスワイプしてください"),
      // The most that a stranger can name: a catalogue outside of the system's.
      ("../../../home/finger", "Swipe your finger or enter your passcode: ", "Swipe your finger across the fingerprint reader"),
    ] {
      let sudo = try world.runAsUser(["env", "LANGUAGE=\(language)", "sudo", "true"])
      try sudo.read(until: prompt)
      try world.reader.scan("right")
      try sudo.readToEnd()
      #expect(try sudo.waitForExit() == 0)
      let verify = try world.runAsUser(["env", "LANGUAGE=\(language)", "signet", "verify"])
      try verify.read(until: touch)
      try world.reader.scan("right")
      try verify.readToEnd()
      #expect(try verify.waitForExit() == 0)
    }
    // A locale of another charset is spoken to in English, and the caller's charset changes nothing.
    let japanese = "パスワード または 指のスワイプ: "
    for (variable, prompt) in [
      ("LC_ALL=C", "Swipe your finger or enter your passcode: "), ("OUTPUT_CHARSET=ISO-2022-JP", japanese),
      ("OUTPUT_CHARSET=UTF-7", japanese),
    ] {
      let plain = try world.runAsUser(["env", variable, "LANGUAGE=ja", "sudo", "true"])
      try plain.read(until: prompt)
      plain.type(World.passcode + "\n")
      try plain.readToEnd()
      #expect(try plain.waitForExit() == 0)
    }
  }
}
