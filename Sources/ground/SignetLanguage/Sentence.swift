// SignetLanguage says sentences in the language of the process's locale, by gettext and the catalogues in SignetWords/po. The module's
// lines, which have no heap, are said by SignetWords/Translation.swift from the same catalogues.

/// A sentence as it is written where it is said: English, with values in it. Its English with a place for each value is its name in the
/// catalogues: `#`, or `#1`, `#2` and so on where there are several, whose order a translation may change.
public struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// What stands before, between and behind the values: one more than there are values.
  private let pieces: [String]
  private let values: [String]

  public init(stringLiteral words: String) { (pieces, values) = ([words], []) }

  public init(stringInterpolation parts: Parts) { (pieces, values) = (parts.pieces, parts.values) }

  /// What a literal is made of.
  public struct Parts: StringInterpolationProtocol {
    fileprivate var pieces = [""]
    fileprivate var values: [String] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ words: String) { pieces[pieces.count - 1] += words }

    // Embedded Swift does not look into values that do not say by themselves what they are.
    #if hasFeature(Embedded)
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) { append("\(value)") }
    #else
      public mutating func appendInterpolation(_ value: some Any) { append("\(value)") }
    #endif

    private mutating func append(_ value: String) {
      values.append(value)
      pieces.append("")
    }
  }

  /// As it is written in the source.
  public var english: String { filled(pieces, Array(values.indices)) }

  /// Its name in the catalogues.
  var key: String {
    guard values.count > 1 else { return pieces.joined(separator: "#") }
    return pieces[0] + values.indices.map { "#\($0 + 1)\(pieces[$0 + 1])" }.joined()
  }

  /// A translation with the values in its places, in which nobody looks for places again; `nil` where it has not exactly the places
  /// of the sentence: a value that is left out, or said twice, could turn what it says into its opposite.
  func said(by translation: String) -> String? {
    var (found, order) = ([""], [Int]())
    var rest = translation.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "#" else {
        found[found.count - 1].unicodeScalars.append(scalar)
        continue
      }
      var place = 0
      if values.count > 1 {
        guard let digit = rest.popFirst(), ("1"..."9").contains(digit) else { return nil }
        place = Int(digit.value) - 0x31
      }
      order.append(place)
      found.append("")
    }
    return order.sorted() == Array(values.indices) ? filled(found, order) : nil
  }

  private func filled(_ pieces: [String], _ order: [Int]) -> String {
    zip(order, pieces.dropFirst()).reduce(pieces[0]) { $0 + values[$1.0] + $1.1 }
  }
}
