// The name is the standard library's.
// swift-format-ignore-file: NoLeadingUnderscores
import Foundation

// What Foundation's classes take on Apple's systems and not on Linux. Keys there are anything that can be copied.

extension NSMutableDictionary {
  /// Puts `value` in, or takes what is there out where it is `nil`.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key as NSString) }
  }

  @_disfavoredOverload
  public func setObject(_ object: Any, forKey key: any NSCopying) {
    if let key = key as? AnyHashable { setObject(object, forKey: key) }
  }

  @_disfavoredOverload
  public subscript(key: any NSCopying) -> Any? {
    get { object(forKey: key) }
    set {
      if let newValue { setObject(newValue, forKey: key) } else { removeObject(forKey: key) }
    }
  }
}

/// `switch` over a string may have constants for its cases as they stand.
public func ~= (pattern: CFString, text: String) -> Bool { pattern as String == text }

extension NSString {
  @_disfavoredOverload
  public convenience init(format: NSString, _ arguments: any CVarArg...) {
    self.init(string: unsafe withVaList(arguments) { unsafe NSString(format: format as String, arguments: $0) as String })
  }
}

extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// As a key of any type it is the string that it holds, as on Apple's systems: `dictionary[kSecAttrAccount]` finds in
  /// `[AnyHashable: Any]` what is kept under "acct".
  ///
  /// That is sound, because the two are equal and cast to each other everywhere else already, a mutable string is copied like any
  /// key, and no class of strings of Foundation's has another meaning of equality that this one would hide.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
