// signet-pkcs11 is a PKCS#11 module, by which programs use the keys of the vault as they use those of a smart card: there is one token,
// and a finger or the passcode in the place of its PIN, at each signature. It carries what is asked and answered between a program and
// signetd, as libsignet does, and decides nothing. Embedded Swift; what it shares with normal targets are symlinks in its folder.
import CLinux
import CPKCS11

/// What the module knows between C_Initialize and C_Finalize.
final class Module {
  /// How many sessions a program may have open.
  static var sessionLimit: Int { 64 }

  var sessions: [Session] = []
  var keys = KeyTable()
  /// Whether C_Login was called. It changes nothing but what the module says of its sessions.
  var isLoggedIn = false
  private var lastSession: ck_session_handle_t = 0
  /// A child of fork(2) has nothing of this: for it the module is not initialized.
  private let owner = getpid()

  /// Touched with the lock held only.
  private nonisolated(unsafe) static var current: Module?

  /// The module, where this process has initialized it.
  static var own: Module? {
    guard let module = unsafe current, module.owner == getpid() else { return nil }
    return module
  }

  static func begin() throws(Fault) {
    guard own == nil else { throw Fault(CKR_CRYPTOKI_ALREADY_INITIALIZED) }
    unsafe current = Module()
  }

  static func end() { unsafe current = nil }

  func open(isReadWrite: Bool) throws(Fault) -> ck_session_handle_t {
    guard sessions.count < Module.sessionLimit else { throw Fault(CKR_SESSION_COUNT) }
    // A number is given once, so that one that was closed never means another one.
    lastSession &+= 1
    sessions.append(Session(lastSession, isReadWrite: isReadWrite))
    return lastSession
  }

  func session(_ handle: ck_session_handle_t) throws(Fault) -> Session {
    for session in sessions where session.handle == handle { return session }
    throw Fault(CKR_SESSION_HANDLE_INVALID)
  }

  /// Closes those of which `isMeant` says so. With the last one the login ends.
  func close(where isMeant: (Session) -> Bool) {
    sessions.removeAll { isMeant($0) }
    if sessions.isEmpty { isLoggedIn = false }
  }
}

/// A program's session, in which one search and one signature at a time can be under way.
final class Session {
  let handle: ck_session_handle_t
  let isReadWrite: Bool
  var search: Search?
  var signing: Signing?

  init(_ handle: ck_session_handle_t, isReadWrite: Bool) {
    self.handle = handle
    self.isReadWrite = isReadWrite
  }
}

/// Runs a function of the module alone, in a process that has initialized it.
func answer(_ body: (Module) throws(Fault) -> Void) -> ck_rv_t {
  alone { () throws(Fault) in
    guard let module = Module.own else { throw Fault(CKR_CRYPTOKI_NOT_INITIALIZED) }
    try body(module)
  }
}

/// The same in one of its sessions.
func answer(in handle: ck_session_handle_t, _ body: (Module, Session) throws(Fault) -> Void) -> ck_rv_t {
  answer { module throws(Fault) in try body(module, try module.session(handle)) }
}

/// Runs what only one thread may do at a time.
func alone(_ body: () throws(Fault) -> Void) -> ck_rv_t {
  cpkcs11_lock()
  defer { cpkcs11_unlock() }
  do throws(Fault) {
    try body()
    return CKR_OK
  } catch { return error.code }
}

/// A pointer that has to be there.
func given<Value>(_ pointer: UnsafeMutablePointer<Value>?) throws(Fault) -> UnsafeMutablePointer<Value> {
  guard let pointer = unsafe pointer else { throw Fault(CKR_ARGUMENTS_BAD) }
  return unsafe pointer
}

/// A program's bytes.
func given(_ start: UnsafeMutablePointer<UInt8>?, _ count: UInt) throws(Fault) -> UnsafeBufferPointer<UInt8> {
  guard let count = Int(exactly: count), unsafe start != nil || count == 0 else { throw Fault(CKR_ARGUMENTS_BAD) }
  return unsafe UnsafeBufferPointer(start: start, count: count)
}
