import Testing

@testable import DaemonProving

/// When a reader that could not be used is tried again.
@Suite struct ReaderPresenceTests {
  private var presence = ReaderPresence()

  @Test mutating func `one that never went away is not tried again`() {
    for _ in 1...3 {
      let isBack = presence.seen(true)
      #expect(!isBack)
    }
  }

  @Test mutating func `one that was away and is there is tried once`() {
    #expect([false, true].map { presence.seen($0) } == [false, true])
    presence.tried(true)
    #expect([true, true, false, true].map { presence.seen($0) } == [false, false, false, true])
  }

  @Test mutating func `one that was lost and is there at the first look is tried`() {
    presence.lost()
    let isBack = presence.seen(true)
    #expect(isBack)
  }

  @Test mutating func `one that comes and goes without end is tried sixteen times`() {
    var tries = 0
    for _ in 1...40 {
      presence.lost()
      if presence.seen(true) { tries += 1 }
      presence.tried(true)
    }
    #expect(tries == 16)
  }

  @Test mutating func `one that somebody else has is tried until it is had`() {
    #expect([false, true].map { presence.seen($0) } == [false, true])
    presence.tried(false)
    #expect([true, true].map { presence.seen($0) } == [true, true])
    presence.tried(true)
    let isBack = presence.seen(true)
    #expect(!isBack)
  }
}
