import SignetVocabulary

/// The texts of the `kSecAttrAccessible` values, and what the vault knows of them: fewer, because no item leaves this machine.
enum AccessibilityText {
  static let all: Set<String> = ["ak", "aku", "ck", "cku", "dk", "dku", "akpu"]

  /// Those that no synchronizable item can have.
  static let thisDeviceOnly: Set<String> = ["aku", "cku", "dku", "akpu"]

  /// Where nothing is said, as on Apple's systems.
  static let standard = "ak"

  /// The vault's class. Nothing can be opened before the first passcode, so that "always" begins there, too.
  static func accessibility(of text: String) -> Accessibility? {
    switch text {
    case "ak", "aku": .whenUnlocked
    case "ck", "cku", "dk", "dku": .afterFirstUnlock
    case "akpu": .whenPasscodeSet
    default: nil
    }
  }

  /// Of keys no text is kept, and they leave no device on Apple's systems either.
  static func ofKey(_ accessibility: Accessibility) -> String {
    switch accessibility {
    case .whenUnlocked: "aku"
    case .afterFirstUnlock: "cku"
    case .whenPasscodeSet: "akpu"
    }
  }

  /// What stands for a class of which no text was kept.
  static func text(of accessibility: Accessibility) -> String {
    switch accessibility {
    case .whenUnlocked: "ak"
    case .afterFirstUnlock: "ck"
    case .whenPasscodeSet: "akpu"
    }
  }
}
