import SignetLanguage

/// PAM services of which it is known what is asked first, and why: most need something else than what holds for all. A section of
/// signet.conf goes before this.
///
/// Of a host that is not here nothing is known but how it asks (`QuestionForm`).
public struct KnownService: Sendable {
  public let names: [String]
  let settings: Configuration.ServiceSettings
  let reason: @Sendable () -> String
  /// The services that ask for the finger beside these, in the same order: what else is here holds where each has such a conversation.
  var besides: [String] = []

  /// Whether a file of PAM's is behind a name: not where it is a program on the bus that asks.
  public static func isOfPAM(_ service: String) -> Bool { service != "fprint" }

  public static let all = [
    KnownService(
      names: ["gdm-fingerprint", "kde-fingerprint", "cinnamon-fingerprint"],
      settings: Configuration.ServiceSettings(allows: .finger, prompt: .fingerFirst),
      reason: { say("another service asks for the passcode beside this one") }),
    KnownService(
      names: ["gdm-password", "kde"],
      settings: Configuration.ServiceSettings(allows: .passcode, prompt: .passcodeFirst),
      reason: { say("another service asks for the finger beside this one") },
      besides: ["gdm-fingerprint", "kde-fingerprint"]),
    KnownService(
      names: ["fprint"],
      settings: Configuration.ServiceSettings(tries: 1, allows: .finger, prompt: .fingerFirst),
      reason: { say("a program on the bus asks for one touch at a time, and for the passcode by itself") }),
    KnownService(
      names: ["swaylock", "waylock", "hyprlock", "gtklock", "i3lock", "physlock"],
      settings: Configuration.ServiceSettings(prompt: .passcodeFirst, fingerTimeout: 10),
      reason: { say("the program begins when a passcode was typed already, and takes none while it waits") }),
    KnownService(
      names: [
        "gdm-password", "sddm", "greetd", "lxdm", "xdm", "kde", "kscreensaver", "xscreensaver", "cinnamon-screensaver",
        "mate-screensaver", "xfce4-screensaver", "light-locker",
      ],
      settings: Configuration.ServiceSettings(prompt: .passcodeFirst),
      reason: { say("the program's window takes no passcode while a finger is waited for") }),
    KnownService(
      names: ["sudo", "sudo-i", "su", "su-l", "login", "doas", "vlock", "polkit-1", "lightdm", "xsecurelock", "common-auth"],
      settings: Configuration.ServiceSettings(),
      reason: { say("the program's question ends when a finger comes") }),
  ]

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.filter(\.besides.isEmpty).flatMap { known in known.names.map { ($0, known) } })
  private static let besides = Dictionary(
    uniqueKeysWithValues: all.flatMap { known in zip(known.names, known.besides).map { ($0, (known, $1)) } })

  public static func isKnown(_ service: String) -> Bool { byName[service] != nil }

  /// A name in capitals finds it too: libpam makes names lower case.
  static func named(_ service: String, _ finger: FingerConversation) -> KnownService? {
    let name = service.lowercased()
    if let (known, other) = besides[name], finger.isHeld(by: other) { return known }
    return byName[name]
  }
}
