import CLinux
import CSignet

// The login session. What each function is for: signet.h.

@c(signet_token_copy)
public func copyToken(_ error: ErrorPointer?) -> UnsafeMutablePointer<CChar>? {
  var released: UnsafeMutableRawPointer?
  _ = unsafe succeeds(error) { () throws(Failure) in
    guard var token = SecretBytes(capacity: 256) else { throw .system(ENOMEM, detail: "There is no memory.") }
    do throws(SessionToken.Failure) { try SessionToken.read(into: &token) } catch {
      switch error {
      case .unreadable(let code): throw .system(code, detail: noToken)
      case .foreign: throw .system(EBADMSG, detail: "The key in the session keyring is not Signet's.")
      }
    }
    guard let buffer = unsafe Buffer.make(token.span) else { throw .system(ENOMEM, detail: "There is no memory.") }
    unsafe released = buffer
  }
  return unsafe released?.assumingMemoryBound(to: CChar.self)
}

private var noToken: StaticString { "This session has no token, or it was revoked: only a login through pam_signet gets one." }

public typealias EachSession = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<signet_session>?) -> Bool

@c(signet_session_list)
public func listSessions(_ each: EachSession?, _ data: UnsafeMutableRawPointer?, _ error: ErrorPointer?) -> Bool {
  unsafe succeeds(error) { () throws(Failure) in
    var rows: [SessionRow] = []
    do throws(ContextError) { rows = try OpenSessions.list(path: ProgramEnvironment.socket) } catch { throw .evaluation(error) }
    guard let each = unsafe each else { return }
    for row in rows where unsafe !tell(row, each, data) { return }
  }
}

private func tell(_ row: SessionRow, _ each: EachSession, _ data: UnsafeMutableRawPointer?) -> Bool {
  unsafe row.identifier.withCString { identifier in
    unsafe row.user.withCString { user in
      unsafe row.service.withCString { service in
        unsafe row.terminal.withCString { terminal in
          var told = unsafe signet_session(
            identifier: identifier, user: user, service: service, terminal: terminal, uid: row.uid,
            method: Int32(row.method.rawValue), opened: row.opened)
          return unsafe each(data, &told)
        }
      }
    }
  }
}
