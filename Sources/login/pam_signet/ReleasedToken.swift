import CLinux
import CPAM

/// The token of this transaction's login, kept by libpam until pam_end(3), then wiped.
///
/// Its pages are empty in a forked child (`SecretBytes` has them wiped there), so a child of the host holds no token.
@safe struct ReleasedToken {
  /// What the pages hold. All zero, as after a fork, is not a token: see `isIntact`.
  private struct Record: ~Copyable {
    // First, so that the token is put into its last place as soon as it comes.
    var token: InlineArray<32, UInt8>
    var isIntact: UInt8
    /// The session keyring at authenticate time, 0 for unknown.
    var ring: Int32
    /// The key that holds the token, 0 for none.
    var key: Int32
    /// Whom it was released to.
    var user: TextLine

    func isUser(_ name: Span<UInt8>) -> Bool { user.span.isEqual(to: name) }

    func withToken<Result>(_ body: (Span<UInt8>) -> Result) -> Result { body(token.span) }
  }

  private let record: UnsafeMutablePointer<Record>

  private static var name: StaticString { "signet:token" }

  /// Pages for a token that may come.
  static func makePlace() -> SecretBytes? { SecretBytes(capacity: MemoryLayout<Record>.size) }

  /// Takes a token out of a packet, for `keep`.
  static func put(_ token: Span<UInt8>, into place: inout SecretBytes) -> Bool {
    token.count == FieldLimit.token && place.append(token)
  }

  /// Hands a taken token to libpam.
  static func keep(
    _ token: consuming SecretBytes, for user: borrowing UserName, ring: Int32, in transaction: borrowing Transaction
  ) throws(Failure) {
    guard token.count == FieldLimit.token, token.capacity == MemoryLayout<Record>.size else { throw .client(.malformed) }
    let address = unsafe token.release()
    // The kernel gave the pages zeroed, which is a value of every member behind the token.
    let record = unsafe address.bindMemory(to: Record.self, capacity: 1)
    _ = unsafe record.pointee.user.put(foreign: user.span)
    unsafe record.pointee.ring = ring
    unsafe record.pointee.isIntact = 1
    let code = unsafe pam_set_data(transaction.handle, c(name), address) { _, data, _ in
      guard let data = unsafe data else { return }
      unsafe ReleasedToken.wipe(data)
    }
    guard code == PAM_SUCCESS else {
      unsafe wipe(address)
      throw .notKept(code)
    }
  }

  /// Takes the pages back to be wiped and unmapped.
  private static func wipe(_ address: UnsafeMutableRawPointer) {
    _ = unsafe SecretBytes(adopting: address, capacity: MemoryLayout<Record>.size, count: 0)
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
