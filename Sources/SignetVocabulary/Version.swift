#if canImport(Glibc)
  import Glibc
#endif

/// Signet's version: the one place. The programs, libsignet and the packages tell this one.
public enum Version {
  public static var text: StaticString { "0.1.0" }
}

#if !hasFeature(Embedded)
  extension Version {
    /// Prints a program's name and version where that is all that it was asked for (`--version`).
    public static func isAsked(of program: String, in arguments: [String]) -> Bool {
      guard arguments.count == 2, arguments[1] == "--version" else { return false }
      print("\(program) \(text)")
      return true
    }
  }
#endif
