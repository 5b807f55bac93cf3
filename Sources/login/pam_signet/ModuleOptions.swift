import CLinux
import CPAM

/// The words behind the module's name in the PAM configuration. Read anew at each call: what one service says must not
/// reach another in the same process.
@safe struct ModuleOptions {
  /// How long a finger is waited for, in seconds (1 to 3600), over the whole evaluation.
  private(set) var timeout: UInt16 = 30
  private(set) var isDebug = false
  /// How many misses end an authentication, where that is less than signetd allows.
  private(set) var tries = UInt16.max
  /// Whether messages are shown even where the host asks for silence, as Debian's sudo always does. Fprintd's module shows them.
  private(set) var showsAlways = ModuleKind.takesFingerOnly
  /// A word that is unknown or has a bad value; the rest is not to be relied on then. libpam owns it.
  private(set) var firstBadWord: UnsafePointer<CChar>?
  // In libpam's word for as long as the call lasts; nil for the default.
  private var path: UnsafePointer<CChar>?

  init(count: Int32, words: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard count > 0, let words = unsafe words else { return }
    var index = 0
    while index < Int(count) {
      if let word = unsafe words[index], unsafe !read(word), unsafe firstBadWord == nil {
        unsafe firstBadWord = word
        if !ModuleKind.takesFingerOnly { return }
      }
      index &+= 1
    }
  }

  private mutating func read(_ word: UnsafePointer<CChar>) -> Bool {
    if unsafe equals(word, "debug") {
      isDebug = true
      return true
    }
    if unsafe equals(word, "show") {
      showsAlways = true
      return true
    }
    if let value = unsafe value(of: "timeout=", in: word) {
      guard let seconds = unsafe number(value) else { return false }
      timeout = ModuleKind.takesFingerOnly ? max(10, seconds) : seconds
      return true
    }
    if ModuleKind.takesFingerOnly, let isKnown = unsafe readAsFprintd(word) { return isKnown }
    if let value = unsafe value(of: "socket=", in: word) {
      // sun_path's size is 108 bytes with the zero behind the path.
      guard unsafe value[0] == CChar(UInt8(ascii: "/")), unsafe strnlen(value, 108) < 108 else { return false }
      unsafe path = value
      return true
    }
    return false
  }

  /// Whether the value is one of the option's; `nil` where the option is none of fprintd's own.
  private mutating func readAsFprintd(_ word: UnsafePointer<CChar>) -> Bool? {
    if let value = unsafe value(of: "max-tries=", in: word) {
      guard let count = unsafe number(value) else { return false }
      tries = count
      return true
    }
    guard let value = unsafe value(of: "debug=", in: word) else { return nil }
    isDebug = unsafe equals(value, "on") || equals(value, "true") || equals(value, "1")
    return unsafe isDebug || equals(value, "off") || equals(value, "false") || equals(value, "0")
  }

  /// Connects to signetd and sends it a request.
  func send(_ request: consuming SecretBytes, _ terms: Exchange.Terms) throws(Failure) -> PendingRequest {
    do throws(ClientError) {
      let path = unsafe path ?? c("/run/signet/socket")
      return try unsafe PendingRequest(request, to: path, terms)
    } catch { throw .client(error) }
  }
}

private func equals(_ word: UnsafePointer<CChar>, _ name: StaticString) -> Bool {
  guard let rest = unsafe value(of: name, in: word) else { return false }
  return unsafe rest[0] == 0
}

/// What follows `name` in a word that begins with it.
private func value(of name: StaticString, in word: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
  guard name.hasPointerRepresentation else { return nil }
  let count = name.utf8CodeUnitCount
  guard unsafe strncmp(word, c(name), count) == 0 else {
    return nil
  }
  return unsafe word + count
}

/// 1 to 3600 in decimal digits, nothing around them.
private func number(_ text: UnsafePointer<CChar>) -> UInt16? {
  var number: UInt16 = 0
  var index = 0
  while unsafe text[index] != 0 {
    let digit = unsafe UInt8(truncatingIfNeeded: text[index]) &- UInt8(ascii: "0")
    guard digit <= 9, index < 4 else { return nil }
    number = number &* 10 &+ UInt16(digit)
    index &+= 1
  }
  return number >= 1 && number <= 3600 ? number : nil
}
