import SignetLanguage

/// One thing that a reader has to stand. It is over when its work returns; `Stop` says why it is not.
public struct Scenario: Sendable {
  /// For reports and options: `unplug`.
  public let name: String
  /// In the matrix, and to a person before it begins.
  public let title: Sentence
  let play: @Sendable (Stage) throws(Stop) -> Void

  /// All that there are, in the order in which a person goes through them: what may lock comes last.
  public static let all: [Scenario] = [
    .enroll, .match, .duplicate, .poorScan, .cancel, .unplug, .replug, .freeze, .suspend, .storageFull, .twoReaders, .misses,
    .lockout,
  ]

  public static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}
