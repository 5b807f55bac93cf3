import CLinux
import CPAM

/// One call of libpam into the module: its handle, flags and options.
@safe struct Transaction {
  let handle: OpaquePointer
  let options: ModuleOptions
  private let flags: UInt32

  init(handle: OpaquePointer, flags: Int32, options: ModuleOptions) {
    unsafe self.handle = handle
    self.flags = UInt32(bitPattern: flags)
    self.options = options
  }

  /// Whether the host wants no messages (`PAM_SILENT`), and the configuration does not want them all the same, or can do nothing with
  /// them. Questions are asked in any case.
  var isSilent: Bool { flags & PAM_SILENT != 0 && !options.showsAlways || takesNoMessages }

  /// Whether this is the second pass of a passcode change, in which modules change something.
  var isUpdate: Bool { flags & UInt32(PAM_UPDATE_AUTHTOK) != 0 }

  /// A text that the host has set; empty where it has not. Valid until the next conversation, which may change it.
  @_lifetime(borrow self)
  func item(_ kind: Int32) -> Span<UInt8> {
    var value: UnsafeRawPointer?
    guard unsafe pam_get_item(handle, kind, &value) == PAM_SUCCESS, let value = unsafe value else { return Span() }
    let text = unsafe value.assumingMemoryBound(to: UInt8.self)
    let count = unsafe strlen(value.assumingMemoryBound(to: CChar.self))
    let span = unsafe Span<UInt8>(_unsafeStart: text, count: max(0, Int(truncatingIfNeeded: count)))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The same as a C string.
  @unsafe func cString(of kind: Int32) -> UnsafePointer<CChar>? {
    var value: UnsafeRawPointer?
    guard unsafe pam_get_item(handle, kind, &value) == PAM_SUCCESS else { return nil }
    return unsafe value?.assumingMemoryBound(to: CChar.self)
  }

  /// The item, or nothing where it is longer than a packet may carry: only for what signetd shows and logs.
  @_lifetime(borrow self)
  func item(_ kind: Int32, limit: Int) -> Span<UInt8> {
    let text = item(kind)
    return text.count <= limit ? text : Span()
  }

  @inline(__always)
  func isItem(_ kind: Int32, _ text: StaticString) -> Bool { TextLine(text).span.isEqual(to: item(kind)) }
}

/// The user who is asked for: a copy, to see whether the host's changes under us.
struct UserName: ~Copyable {
  private var text = TextLine()

  /// The host's user; libpam asks for the name where there is none yet.
  init(asking transaction: borrowing Transaction) throws(Failure) {
    var name: UnsafePointer<CChar>?
    let code = unsafe pam_get_user(transaction.handle, &name, nil)
    guard code == PAM_SUCCESS else { throw .noUser(code) }
    try self.init(of: transaction)
  }

  /// The user that the host has by now; nobody is asked.
  init(of transaction: borrowing Transaction) throws(Failure) {
    let user = transaction.item(PAM_USER)
    guard !user.isEmpty else { throw .noUser(PAM_SUCCESS) }
    // Bytes that no user database has in a name, and that make log lines and paths lie.
    var index = 0
    while index < user.count {
      guard user[index] != UInt8(ascii: "/"), user[index] != UInt8(ascii: ":") else { throw .unusableName }
      index &+= 1
    }
    guard text.put(foreign: user) else { throw .unusableName }
  }

  var span: Span<UInt8> { @_lifetime(borrow self) get { text.span } }

  /// Throws where the host's user is another one by now.
  func requireUnchanged(in transaction: borrowing Transaction) throws(Failure) {
    guard text.span.isEqual(to: transaction.item(PAM_USER)) else { throw .userChanged }
  }
}

/// A literal as a C string.
@inline(__always) func c(_ literal: StaticString) -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
}
