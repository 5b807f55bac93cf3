import SignetBytes
import SignetMemory
import SignetTokens
import SignetVocabulary
import Testing

@Suite struct RefreshChainsTests {
  private static let none: [UInt8] = []

  private func token(of chain: UInt64) throws -> RefreshToken {
    guard let token = RefreshToken(of: chain) else { throw FormatError.tooLong }
    return token
  }

  private func begin(
    _ chains: inout RefreshChains, number: UInt64 = 7, session: UInt32 = 1, confirmation: [UInt8] = none
  ) throws -> [UInt8] {
    let token = try token(of: number)
    _ = chains.begin(
      RefreshChain(
        number: number, session: SessionName(session), uid: 1000, audience: "mail", confirmation: confirmation,
        digest: token.digest))
    return Array(copying: token.secret.span)
  }

  private func chain(
    _ chains: inout RefreshChains, _ token: [UInt8], _ confirmation: [UInt8] = none, peer: UInt32 = 1000
  ) -> Result<RefreshChain, RefreshChains.Failure> {
    do throws(RefreshChains.Failure) {
      return .success(try chains.chain(of: token.span, confirmation: confirmation.span, peer: peer))
    } catch {
      return .failure(error)
    }
  }

  @Test func `the newest token refreshes, once`() throws {
    var chains = RefreshChains()
    let first = try begin(&chains)
    let found = try chain(&chains, first).get()
    let next = try token(of: found.number)
    let result = chains.rotate(found, to: next)
    let rotated = try #require(result)
    #expect(try chain(&chains, Array(copying: next.secret.span)).get() == rotated)
  }

  @Test func `an old token ends the chain for everybody`() throws {
    var chains = RefreshChains()
    let first = try begin(&chains)
    let found = try chain(&chains, first).get()
    let next = try token(of: found.number)
    let result = chains.rotate(found, to: next)
    let rotated = try #require(result)
    #expect(chain(&chains, first) == .failure(.reused(rotated)))
    #expect(chain(&chains, Array(copying: next.secret.span)) == .failure(.unknown))
  }

  @Test func `of two that refresh at once one gets the next token`() throws {
    var chains = RefreshChains()
    let found = try chain(&chains, try begin(&chains)).get()
    let one = try token(of: 7)
    let other = try token(of: 7)
    let (winner, loser) = (chains.rotate(found, to: one), chains.rotate(found, to: other))
    #expect(winner != nil)
    #expect(loser == nil)
  }

  @Test func `another user's token is unknown, and root's hand is the user's`() throws {
    var chains = RefreshChains()
    let token = try begin(&chains)
    #expect(chain(&chains, token, peer: 1001) == .failure(.unknown))
    #expect(throws: Never.self) { try chain(&chains, token, peer: 0).get() }
  }

  @Test func `a token that is bound to a key goes with that key only, and stays good`() throws {
    var chains = RefreshChains()
    let key = [UInt8](repeating: 1, count: FieldLimit.thumbprint)
    let token = try begin(&chains, confirmation: key)
    #expect(chain(&chains, token) == .failure(.unknown))
    #expect(chain(&chains, token, [UInt8](repeating: 2, count: FieldLimit.thumbprint)) == .failure(.unknown))
    #expect(throws: Never.self) { try chain(&chains, token, key).get() }
  }

  @Test func `a seventeenth chain of a session ends its first, and no other session's`() throws {
    var chains = RefreshChains()
    let foreign = try begin(&chains, number: 100, session: 2)
    let first = try begin(&chains, number: 0)
    for number in 1...UInt64(RefreshChains.limit) { _ = try begin(&chains, number: number) }
    #expect(chain(&chains, first) == .failure(.unknown))
    #expect(throws: Never.self) { try chain(&chains, foreign).get() }
    #expect(chains.chains.count == RefreshChains.limit + 1)
  }

  @Test(arguments: [0, 39, 41]) func `what is no refresh token is unknown`(length: Int) throws {
    var chains = RefreshChains()
    _ = try begin(&chains, number: 0)
    #expect(chain(&chains, [UInt8](repeating: 0, count: length)) == .failure(.unknown))
  }
}
