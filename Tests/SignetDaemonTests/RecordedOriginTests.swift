import SignetAuthentication
import SignetVocabulary
import Testing

@testable import DaemonAudit
@testable import DaemonService

@Suite struct RecordedOriginTests {
  /// Of a process with this uid, for which the kernel has this login.
  private func requester(uid: UInt32, login: UInt32, _ source: RequestOrigin.Source) -> Requester {
    var process = PeerProcess()
    process.loginUser = login
    return Requester(peer: Peer(pid: 4711, uid: uid), process: process, source: source)
  }

  private func starter(_ requester: Requester) -> String? { requester.fields.first { $0.0 == "started_by" }?.1 }

  @Test func `the history and its shares go by whose request it is, and not by what a process wrote as its login`() {
    // www-data's su, which wrote alice's login.
    let su = requester(uid: 0, login: 1000, .user(33))
    #expect(su.row.loginUser == 33 && su.row.asker == 33)
    #expect(starter(su) == "33")
    let own = requester(uid: 33, login: 1000, .user(33))
    #expect(own.row.loginUser == EventRequester.none && own.row.asker == 33)
    #expect(starter(own) == nil)
    #expect(requester(uid: 0, login: 1000, .unknown).row.loginUser == EventRequester.none)
  }

  @Test func `who logged in is named where that is whose request it is`() {
    let sudo = requester(uid: 0, login: 1000, .user(1000))
    #expect(sudo.row.loginUser == 1000 && starter(sudo) == nil)
    #expect(requester(uid: 1000, login: 1000, .user(1000)).row.loginUser == 1000)
    #expect(requester(uid: 0, login: EventRequester.none, .user(1000)).row.loginUser == 1000)
    #expect(requester(uid: 0, login: EventRequester.none, .service).row.loginUser == EventRequester.none)
  }
}
