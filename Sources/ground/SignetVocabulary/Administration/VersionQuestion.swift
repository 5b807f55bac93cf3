extension Version {
  /// Prints a program's name and version where that is all that it was asked for (`--version`).
  public static func isAsked(of program: String, in arguments: [String]) -> Bool {
    // Bytes: to compare texts takes the tables of Unicode, which programs in Embedded Swift do without.
    guard arguments.count == 2, arguments[1].utf8.elementsEqual("--version".utf8) else { return false }
    print("\(program) \(text)")
    return true
  }
}
