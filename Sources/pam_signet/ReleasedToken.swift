import CLinux
import CPAM

/// The token of this transaction's login, kept by libpam until pam_end(3), then wiped.
///
/// Its pages are empty in a forked child (`SecretBytes` has them wiped there), so a child of the host holds no token.
@safe struct ReleasedToken {
  /// What the pages hold. All zero, as after a fork, is not a token: see `isIntact`.
  private struct Record: ~Copyable {
    var isIntact: UInt8 = 1
    /// The session keyring at authenticate time, 0 for unknown.
    var ring: Int32
    /// The key that holds the token, 0 for none.
    var key: Int32 = 0
    var token = InlineArray<32, UInt8>(repeating: 0)
    /// Whom it was released to.
    var user = TextLine()

    func isUser(_ name: Span<UInt8>) -> Bool { user.span.isEqual(to: name) }

    func withToken<Result>(_ body: (Span<UInt8>) -> Result) -> Result { body(token.span) }
  }

  private let record: UnsafeMutablePointer<Record>

  private static var name: StaticString { "signet:token" }

  /// Hands a token to libpam.
  static func keep(
    _ token: borrowing SecretBytes, for user: borrowing UserName, ring: Int32, in transaction: borrowing Transaction
  ) throws(Failure) {
    guard token.count == WireLimit.token else { throw .protocolMisuse }
    guard let pages = SecretBytes(capacity: MemoryLayout<Record>.size) else { throw .noMemory }
    let address = unsafe pages.release()
    let record = unsafe address.bindMemory(to: Record.self, capacity: 1)
    unsafe record.initialize(to: Record(ring: ring))
    let source = token.span
    _ = unsafe record.pointee.user.put(foreign: user.span)
    for index in 0..<32 where index < source.count { unsafe record.pointee.token[index] = source[index] }
    let code = unsafe pam_set_data(transaction.handle, c(name), address) { _, data, _ in
      guard let data = unsafe data else { return }
      // Taken back to be wiped and unmapped.
      _ = unsafe SecretBytes(adopting: data, capacity: MemoryLayout<Record>.size, count: 0)
    }
    guard code == PAM_SUCCESS else {
      _ = unsafe SecretBytes(adopting: address, capacity: MemoryLayout<Record>.size, count: 0)
      throw .notKept(code)
    }
  }

  /// Wipes the token of an earlier `authenticate` in the same transaction: it must not outlive a later failure.
  static func forget(in transaction: borrowing Transaction) {
    guard ReleasedToken(of: transaction) != nil else { return }
    _ = unsafe pam_set_data(transaction.handle, c(name), nil, nil)
  }

  /// The token of this transaction; nil where this module did not authenticate it, or in a forked child.
  init?(of transaction: borrowing Transaction) {
    var data: UnsafeRawPointer?
    guard unsafe pam_get_data(transaction.handle, c(ReleasedToken.name), &data) == PAM_SUCCESS, let data = unsafe data
    else { return nil }
    unsafe record = UnsafeMutableRawPointer(mutating: data).assumingMemoryBound(to: Record.self)
    guard unsafe record.pointee.isIntact == 1 else { return nil }
  }

  var ring: Int32 { unsafe record.pointee.ring }

  var key: Int32 {
    get { unsafe record.pointee.key }
    nonmutating set { unsafe record.pointee.key = newValue }
  }

  /// Throws where the host has changed the user since: the token is not theirs.
  func requireSameUser(in transaction: borrowing Transaction) throws(Failure) {
    guard unsafe record.pointee.isUser(transaction.item(PAM_USER)) else { throw .userChanged }
  }

  func withToken<Result>(_ body: (Span<UInt8>) -> Result) -> Result { unsafe record.pointee.withToken(body) }
}
