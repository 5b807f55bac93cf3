import SignetVocabulary

extension Scene {
  /// A login by passcode; returns its token when the log says `done`, once more than before.
  @discardableResult
  public func loginByPasscode(_ passcode: String = RunningDaemon.passcode, until done: String) throws -> [UInt8] {
    let times = daemon.loggedSoFar.components(separatedBy: done).count
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    while true {
      let reply = try client.next()
      if case .show(.touchReader, _, _) = reply { try client.fallback() }
      if case .askPasscode = reply { break }
    }
    try client.answer(passcode: passcode)
    guard case .verdict(.success, _, let token) = try client.afterShowing() else { throw TestKitError("no login") }
    while daemon.loggedSoFar.components(separatedBy: done).count == times { try daemon.awaitMoreLog() }
    return token
  }
}
