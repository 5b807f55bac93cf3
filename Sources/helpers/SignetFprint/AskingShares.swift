/// How much each user may ask at once and for long: who asks without end must not take from others signetd's places, or its time.
struct AskingShares {
  /// So many unanswered at a time, of one user and of all.
  private static let limitOfUser = 4
  private static let limit = 12
  /// So many at once, and so many a second for long. Plasma's settings ask for each finger of the picture again at every change.
  private static let burst: Int64 = 200
  private static let rate: Int64 = 10

  private struct Share {
    var uid: UInt32
    var pending = 0
    /// In thousandths.
    var left = AskingShares.burst * 1_000
    var since: Int64
  }

  private var shares: [Share] = []

  /// Takes a place, at a moment in milliseconds; false where there is none.
  mutating func take(_ uid: UInt32, at now: Int64) -> Bool {
    shares.removeAll { $0.pending == 0 && $0.left + (now - $0.since) * AskingShares.rate >= AskingShares.burst * 1_000 }
    guard shares.reduce(0, { $0 + $1.pending }) < AskingShares.limit, shares.count < 256 else { return false }
    var share = shares.first { $0.uid == uid } ?? Share(uid: uid, since: now)
    share.left = min(AskingShares.burst * 1_000, share.left + max(0, now - share.since) * AskingShares.rate)
    share.since = now
    guard share.pending < AskingShares.limitOfUser, share.left >= 1_000 else { return false }
    share.left -= 1_000
    share.pending += 1
    shares.removeAll { $0.uid == uid }
    shares.append(share)
    return true
  }

  /// It was answered.
  mutating func giveBack(_ uid: UInt32) {
    guard let index = shares.firstIndex(where: { $0.uid == uid }) else { return }
    shares[index].pending = max(0, shares[index].pending - 1)
  }
}
