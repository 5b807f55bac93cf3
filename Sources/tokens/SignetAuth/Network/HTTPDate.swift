/// The dates of HTTP (RFC 9110, 5.6.7): the one form that servers must write.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`, also with hyphens as cookies have them; `nil` for anything else.
  static func parse(_ text: String) -> Double? {
    let parts = text.split { $0 == " " || $0 == "-" || $0 == ":" }
    guard parts.count == 8, parts[7] == "GMT", let day = number(parts[1], 1...31),
      let month = months.firstIndex(where: { $0 == parts[2] }), let year = number(parts[3], 1970...9999),
      let hour = number(parts[4], 0...23), let minute = number(parts[5], 0...59), let second = number(parts[6], 0...60)
    else { return nil }
    return Double(days(year, month + 1, day) * 86400 + hour * 3600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value)
    else { return nil }
    return value
  }

  /// Days since 1970-01-01 in the Gregorian calendar, with years that begin in March, so that the leap day comes last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
  }
}
