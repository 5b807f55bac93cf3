import SignetLanguage

/// How spans of time are spelled: `30s`, `90min`, `48h`.
enum Duration {
  private static let units: [(name: String, seconds: UInt64)] = [("h", 3600), ("min", 60), ("s", 1)]

  static func read(_ text: some StringProtocol) -> UInt64? {
    let text = Substring(text)
    let count = text.prefix { "0"..."9" ~= $0 }
    let unit = text[count.endIndex...]
    guard let number = digits(count), let factor = units.first(where: { $0.name == unit })?.seconds else { return nil }
    // This cannot overflow: `digits` takes at most nine digits, and the largest factor is 3600.
    return UInt64(number) * factor
  }

  /// Writes it in the largest unit in which it is a whole number.
  static func write(_ seconds: UInt64) -> String {
    let unit = seconds == 0 ? units[2] : units.first { seconds % $0.seconds == 0 } ?? units[2]
    return "\(seconds / unit.seconds)\(unit.name)"
  }
}

extension Form<UInt64> {
  static func duration(_ range: ClosedRange<UInt64>) -> Form {
    Form(allowed: say("a time such as 30s, 90min or 48h, from \(span(range))")) { text in
      Duration.read(text).flatMap { range.contains($0) ? $0 : nil }
    } write: {
      Duration.write($0)
    }
  }
}

extension Form<UInt64?> {
  static func durationOrOff(_ range: ClosedRange<UInt64>) -> Form {
    Form(allowed: say("a time such as 30s, 90min or 48h, from \(span(range)), or off")) { text in
      if text == "off" { return .some(.none) }
      // `.none` is spelled out, because a plain `nil` would become `.some(nil)`, which means "off".
      guard let seconds = Duration.read(text), range.contains(seconds) else { return .none }
      return .some(.some(seconds))
    } write: { seconds in
      seconds.map { Duration.write($0) } ?? "off"
    }
  }
}

extension Form<[UInt64]> {
  /// A list in which each is longer than the one before it.
  static func rising(_ range: ClosedRange<UInt64>, atMost count: Int) -> Form {
    Form(
      allowed: say("at most \(count) times such as 30s, 5min or 1h, from \(span(range)), each longer than the one before, or off")
    ) { text in
      if text == "off" { return [] }
      let words = text.split { $0 == " " || $0 == "\t" }
      let times = words.compactMap { Duration.read($0) }
      guard (1...count).contains(words.count), times.count == words.count, times.allSatisfy(range.contains) else { return nil }
      return zip(times, times.dropFirst()).allSatisfy { $0 < $1 } ? times : nil
    } write: { times in
      times.isEmpty ? "off" : times.map(Duration.write).joined(separator: " ")
    }
  }
}

private func span(_ range: ClosedRange<UInt64>) -> String {
  // Translators: from the shortest time to the longest.
  say("\(Duration.write(range.lowerBound)) to \(Duration.write(range.upperBound))")
}
