/// Which programs an item knows: the one that stored it, and those that its owner lets read it, too. Each is named as the
/// kernel names it; signetd's `ProgramIdentity` says how.
public struct ItemPrograms: Hashable, Sendable {
  /// Empty where nobody knows: any program may read the item then.
  public var creator: String
  /// The oldest first.
  public var others: [String]

  public init(creator: String = "", others: [String] = []) {
    self.creator = creator
    self.others = others
  }

  /// Whether they may be stored.
  public var isValid: Bool {
    others.count <= ItemLimit.others && ([creator] + others).allSatisfy { $0.utf8.count <= ItemLimit.program }
      && !others.contains("")
  }

  /// Whether a program has stored the item. One that nobody can name has stored nothing.
  public func isCreator(_ program: String) -> Bool { !program.isEmpty && ItemPrograms.areSame(creator, program) }

  /// Whether the owner lets a program read it, which did not store it.
  public func includes(_ program: String) -> Bool { others.contains { ItemPrograms.areSame($0, program) } }

  /// Adds a program. Where there are as many as there may be, the oldest has to go, and will have to be asked about again.
  public mutating func admit(_ program: String) {
    guard !program.isEmpty, !isCreator(program), !includes(program) else { return }
    others = others.suffix(ItemLimit.others - 1) + [program]
  }

  /// Byte for byte: texts that Swift takes for equal, because they look the same, may be two files.
  private static func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
