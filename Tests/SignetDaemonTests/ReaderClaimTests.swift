import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonReaders
@testable import DaemonService

@Suite struct `a claim of the readers` {
  private let station = ReaderStation(path: "/bin/cat", arguments: [])
  private let root = Peer(pid: 1, uid: 0)
  private let mallory = Peer(pid: 2, uid: 1001)
  private let alice = User(uid: 1000, name: "alice")

  private func holder(_ service: String = "sudo", by peer: Peer? = nil, at place: ReaderHolder.Location) -> ReaderHolder {
    ReaderHolder(alice, service: service, by: peer ?? root, at: place)
  }

  private func lease(at place: ReaderHolder.Location) throws -> ReaderLease {
    guard case .lease(let lease) = station.claim(for: holder(at: place)) else { throw Surprise() }
    return lease
  }

  private struct Surprise: Error {}

  @Test func `from the seat recalls a holder elsewhere, and gets them when that one lets go`() throws {
    let elsewhere = try lease(at: .elsewhere)
    guard case .heldBy = station.claim(for: holder(at: .seat)) else { throw Surprise() }
    #expect(elsewhere.recall == .seat)
    elsewhere.release()
    let seat = try lease(at: .seat)
    #expect(seat.recall == nil)
  }

  @Test func `from the seat recalls another user, whose session is not in the foreground any more`() throws {
    let before = try lease(at: .seat)
    let bob = ReaderHolder(User(uid: 1001, name: "bob"), service: "sudo", by: root, at: .seat)
    guard case .heldBy = station.claim(for: bob) else { throw Surprise() }
    #expect(before.recall == .seat)
  }

  @Test(arguments: [ReaderHolder.Location.seat, .elsewhere])
  func `recalls nobody of the same user at the seat`(place: ReaderHolder.Location) throws {
    let seat = try lease(at: .seat)
    guard case .heldBy = station.claim(for: holder(at: place)) else { throw Surprise() }
    #expect(seat.recall == nil)
  }

  @Test func `recalls nobody who was found to be at the seat meanwhile`() throws {
    let lease = try lease(at: .elsewhere)
    lease.isAt(.seat)
    guard case .heldBy = station.claim(for: holder(at: .seat)) else { throw Surprise() }
    #expect(lease.recall == nil)
  }

  @Test func `from the seat recalls a program's question there, which recalls nobody but those elsewhere`() throws {
    let question = try lease(at: .elsewhere)
    guard case .heldBy = station.claim(for: holder(at: .program)) else { throw Surprise() }
    #expect(question.recall == .seat)
    question.release()
    let next = try lease(at: .program)
    guard case .heldBy = station.claim(for: holder(at: .program)) else { throw Surprise() }
    #expect(next.recall == nil)
    guard case .heldBy = station.claim(for: holder(at: .seat)) else { throw Surprise() }
    #expect(next.recall == .seat)
    next.release()
    let login = try lease(at: .seat)
    guard case .heldBy = station.claim(for: holder(at: .program)) else { throw Surprise() }
    #expect(login.recall == nil)
  }

  @Test func `from elsewhere recalls nobody`() throws {
    let elsewhere = try lease(at: .elsewhere)
    guard case .heldBy = station.claim(for: holder(at: .elsewhere)) else { throw Surprise() }
    #expect(elsewhere.recall == nil)
  }

  @Test(arguments: ["sudo", "login", "polkit-1", "gdm-password"])
  func `of root's own service is named in the prompt of others`(service: String) {
    #expect(holder(service, at: .seat).publicName == service)
  }

  @Test(arguments: ["sudo. SECURITY: type your password at", "", "SUDO", "sudo\n", "backup"])
  func `with other words is not named, whoever asks`(service: String) {
    #expect(holder(service, at: .seat).publicName == "another program")
  }

  @Test func `of a user who says a service's name is not named`() {
    #expect(holder("sudo", by: mallory, at: .seat).publicName == "another program")
  }

  @Test func `tells a stranger neither words nor the user, and root the user`() {
    let holder = holder("sudo. SECURITY:", at: .seat)
    #expect(holder.refusal(of: mallory) == .readerBusy(service: "another program", user: "another user"))
    #expect(holder.refusal(of: root) == .readerBusy(service: "another program", user: "alice"))
    #expect(holder.refusal(of: Peer(pid: 3, uid: 1000)) == .readerBusy(service: "another program", user: "alice"))
  }
}

@Suite struct `a list of the readers` {
  private let reader = ReaderDescription(
    identifier: "a:0", name: "A", driver: "a", isSwipe: false, canIdentify: true, hasStorage: false, enrollStages: 5)

  private func answered() -> ReaderListing {
    var listing = ReaderListing()
    listing.ask(3)
    listing.note(.reader(operation: 3, reader), at: 100)
    listing.note(.listed(operation: 3), at: 100)
    return listing
  }

  @Test func `is there when signet-reader has ended it, and serves for a second`() {
    #expect(answered().answer(at: 100) == [reader])
    #expect(answered().answer(at: 1_099) == [reader])
    #expect(answered().answer(at: 1_100) == nil)
  }

  @Test func `takes nothing from answers to others`() {
    var listing = ReaderListing()
    listing.ask(3)
    listing.note(.reader(operation: 2, reader), at: 100)
    listing.note(.listed(operation: 2), at: 100)
    #expect(listing.answer(at: 100) == nil)
    #expect(listing.isAsked)
    listing.note(.listed(operation: 3), at: 100)
    #expect(listing.answer(at: 100) == [])
  }

  @Test func `is bounded, whatever signet-reader sends`() {
    var listing = ReaderListing()
    listing.ask(3)
    for _ in 0..<1_000 { listing.note(.reader(operation: 3, reader), at: 100) }
    listing.note(.listed(operation: 3), at: 100)
    #expect(listing.answer(at: 100)?.count == ReaderListing.most)
  }

  @Test func `that failed is asked for anew`() {
    var listing = answered()
    listing.fail()
    #expect(listing.answer(at: 100) == nil)
    #expect(!listing.isAsked)
  }
}
