/// Signet's version: the one place. The programs, libsignet and the packages tell this one.
public enum Version {
  public static var text: StaticString { "0.1.0" }
}
