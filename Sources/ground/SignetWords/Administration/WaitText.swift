import SignetLanguage

/// Wrong passcodes, and the wait that they cost, in `signet status`.
public enum WaitText {
  /// `wrong`: in a row, 255 for that many or more. `seconds`: until the next passcode is looked at, 0 for now. The other two
  /// are those of everywhere else. `nil` where there is nothing to say.
  public static func of(wrong: UInt8, seconds: UInt32, wrongElsewhere: UInt8, secondsElsewhere: UInt32) -> String? {
    switch (here(wrong, seconds), elsewhere(wrongElsewhere, secondsElsewhere)) {
    case (nil, nil): nil
    case (let here?, nil): here
    case (nil, let elsewhere?): elsewhere
    case (let here?, let elsewhere?): say("\(here); \(elsewhere)")
    }
  }

  private static func elsewhere(_ wrong: UInt8, _ seconds: UInt32) -> String? {
    switch (wrong, seconds) {
    case (0, 0): nil
    case (.max, 0): say("255 or more wrong elsewhere")
    case (_, 0): say("\(wrong) wrong elsewhere")
    case (.max, _): say("255 or more wrong elsewhere, next passcode from there in \(duration(seconds))")
    default: say("\(wrong) wrong elsewhere, next passcode from there in \(duration(seconds))")
    }
  }

  private static func here(_ wrong: UInt8, _ seconds: UInt32) -> String? {
    switch (wrong, seconds) {
    case (0, 0): nil
    case (.max, 0): say("255 or more wrong in a row")
    case (_, 0): say("\(wrong) wrong in a row")
    case (.max, _): say("255 or more wrong in a row, next passcode in \(duration(seconds))")
    default: say("\(wrong) wrong in a row, next passcode in \(duration(seconds))")
    }
  }

  /// Rounded up: a passcode that is typed after so long is looked at.
  private static func duration(_ seconds: UInt32) -> String {
    let rest = UInt64(seconds)
    if rest < 60 { return "\(rest) s" }
    return rest <= 7200 ? say("\((rest + 59) / 60) min") : "\((rest + 3599) / 3600) h"
  }
}
