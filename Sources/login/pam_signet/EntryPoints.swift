// pam_signet is the PAM module: it relays a login to signetd and signetd's prompts to the host's conversation, and puts the
// released token into the session. It decides nothing. Embedded Swift without a heap and without traps: a guard stands
// before each access that could trap, because a trap would kill sudo or login.
import CPAM

/// The words behind the module's name in the PAM configuration.
public typealias Words = UnsafeMutablePointer<UnsafePointer<CChar>?>

/// What a call is for, and so what its failures mean to the stack.
private enum Purpose {
  case authentication
  /// Sessions, credentials, a changed passcode: nobody is let in or kept out by it.
  case bookkeeping

  /// The answer where the module's line in the configuration is not understood.
  var misconfigured: ReturnCode { self == .authentication ? .unavailable : .ignore }

  func answer(to failure: Failure) -> ReturnCode { self == .authentication ? failure.code : .ignore }
}

/// Every entry point: reads the options, runs the call, logs why it failed.
private func enter(
  _ purpose: Purpose, _ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?,
  _ run: (borrowing Transaction) throws(Failure) -> ReturnCode
) -> Int32 {
  guard let handle = unsafe handle else { return ReturnCode.systemError.rawValue }
  let options = unsafe ModuleOptions(count: count, words: words)
  let transaction = unsafe Transaction(handle: handle, flags: flags, options: options)
  if let word = unsafe transaction.options.firstBadWord {
    unsafe transaction.logBadWord(word)
    // fprintd's module goes on without the word.
    guard ModuleKind.takesFingerOnly else { return purpose.misconfigured.rawValue }
  }
  do throws(Failure) {
    return try run(transaction).rawValue
  } catch {
    transaction.log(error)
    return purpose.answer(to: error).rawValue
  }
}

@c(pam_sm_authenticate)
public func authenticate(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.authentication, handle, flags, count, words, authenticate)
}

/// The credential is the token, which is there since authenticate; where others authenticated, nothing is ours to say. Stacks that were
/// written for fprintd's module may have no other that succeeds here.
@c(pam_sm_setcred)
public func setCredentials(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.bookkeeping, handle, flags, count, words) { (transaction) throws(Failure) in
    ModuleKind.takesFingerOnly || ReleasedToken(of: transaction) != nil ? .success : .ignore
  }
}

@c(pam_sm_acct_mgmt)
public func manageAccount(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.bookkeeping, handle, flags, count, words) { (_) throws(Failure) in .ignore }
}

/// Behind the module that changes the passcode: the change is done, and nothing here undoes or refuses it.
@c(pam_sm_chauthtok)
public func changePasscode(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.bookkeeping, handle, flags, count, words) { (transaction) throws(Failure) in
    ModuleKind.takesFingerOnly ? .ignore : try changePasscode(transaction)
  }
}

@c(pam_sm_open_session)
public func openSession(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.bookkeeping, handle, flags, count, words) { (transaction) throws(Failure) in
    ModuleKind.takesFingerOnly ? .ignore : try openSession(transaction)
  }
}

@c(pam_sm_close_session)
public func closeSession(_ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: Words?) -> Int32 {
  unsafe enter(.bookkeeping, handle, flags, count, words) { (transaction) throws(Failure) in
    ModuleKind.takesFingerOnly ? .ignore : try closeSession(transaction)
  }
}
