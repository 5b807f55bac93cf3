import SignetTestKit
import Testing

extension `Debian's sudo and login` {
  private static let helper = "/usr/lib/polkit-1/polkit-agent-helper-1"

  @Test(arguments: [
    (["LANG=de_DE.UTF-8"], "Ziehen Sie den Finger über den Fingerabdruckleser"),
    (["LANG=en_GB.UTF-8", "LC_ALL=ja_JP.UTF-8"], "指紋リーダーの上で指をスワイプしてください"),
    // No locale has such a name.
    (["LANG=../../home/finger/de_DE.UTF-8"], "Swipe your finger across the fingerprint reader"),
    ([], "Swipe your finger across the fingerprint reader"),
  ]) func `polkit's helper speaks the language of the agent that started it`(environment: [String], touch: String) throws {
    try world.enroll()
    // The shell is the agent, and waits for its helper.
    let agent = try world.run(["env", "-u", "LC_ALL"] + environment + ["sh", "-c", "\(Self.helper) \(World.user); :"])
    // What polkitd has given the agent for the helper.
    agent.type("cookie\n")
    try agent.read(until: "PAM_TEXT_INFO \(escaped(touch))")
    try world.reader.scan("right")
    try agent.readToEnd()
  }

  /// As the helper writes it (`g_strescape`).
  private func escaped(_ text: String) -> String {
    text.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "\\" + String($0, radix: 8) }.joined()
  }
}
