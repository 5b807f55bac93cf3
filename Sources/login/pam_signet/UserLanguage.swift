import CLinux
import CPAM

/// The language of the user whose window asks, for as long as the value lives, where the host has none of its own.
///
/// polkit's helper has cleared its environment and speaks no language; the user's agent, which has started it, names one. That is the
/// user's word, and chooses how a prompt looks, never who gets in. The thread's locale is changed, not the process's (uselocale(3)).
@safe struct UserLanguage: ~Copyable {
  private var language: locale_t?
  private var before: locale_t?

  /// More than a desktop's environment has, in bytes; what is behind it is not looked at.
  private static var environment: Int { 32_768 }

  init(for transaction: borrowing Transaction) {
    guard transaction.isPolkit, UserLanguage.hostHasNone,
      var words = SecretBytes(capacity: UserLanguage.environment), UserLanguage.readParent(into: &words)
    else { return }
    var name = TextLine()
    guard UserLanguage.put(nameIn: words.span, into: &name) else { return }
    unsafe language = name.withCString { unsafe newlocale(1 << LC_CTYPE | 1 << LC_MESSAGES, $0, nil) }
    if let language = unsafe language { unsafe before = uselocale(language) }
  }

  deinit {
    guard let language = unsafe language else { return }
    _ = unsafe uselocale(before)
    unsafe freelocale(language)
  }

  /// Whether the process is in the locale in which every program begins (setlocale(3)).
  private static var hostHasNone: Bool {
    guard let name = unsafe setlocale(LC_MESSAGES, nil) else { return true }
    return unsafe name[0] == CChar(UInt8(ascii: "C")) && name[1] == 0
  }

  private static func readParent(into words: inout SecretBytes) -> Bool {
    var path = TextLine("/proc/")
    path.put(Int(getppid()))
    path.put("/environ")
    return unsafe path.withCString { unsafe words.fill(fromFileAt: $0) }
  }

  /// Appends the first locale that is named in the order of locale(7); false where there is none that can be one.
  private static func put(nameIn words: Span<UInt8>, into name: inout TextLine) -> Bool {
    if put(words, after: "LC_ALL=", into: &name) { return true }
    if put(words, after: "LC_MESSAGES=", into: &name) { return true }
    return put(words, after: "LANG=", into: &name)
  }

  // Inlined, so that the compiler sees the literal (`TextLine.put`).
  @inline(__always)
  private static func put(_ words: Span<UInt8>, after variable: StaticString, into name: inout TextLine) -> Bool {
    let start = place(of: TextLine(variable).span, in: words)
    guard start > 0 else { return false }
    return put(words, from: start, into: &name)
  }

  /// Where the value of a variable begins; 0 where it is not set.
  private static func place(of variable: Span<UInt8>, in words: Span<UInt8>) -> Int {
    var (index, matched) = (0, 0)
    while index >= 0, index < words.count {
      let byte = words[index]
      index &+= 1
      if byte == 0 {
        matched = 0
      } else if matched >= 0, matched < variable.count, byte == variable[matched] {
        matched &+= 1
        if matched == variable.count { return index }
      } else {
        matched = -1
      }
    }
    return 0
  }

  /// Letters that names of locales are made of: a path is none, nor is a name that nothing follows.
  private static func put(_ words: Span<UInt8>, from start: Int, into name: inout TextLine) -> Bool {
    var index = start
    while index >= 0, index < words.count, words[index] != 0 {
      switch words[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"):
        name.put(words[index])
      default: return false
      }
      index &+= 1
    }
    return name.count > 0 && name.count < 64
  }
}
