#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// How much each user may ask at once and for long: who asks without end must not take from others signetd's places, or its time.
struct AskingShares {
  /// So many unanswered at a time, of one user and of all.
  private static let limitOfUser = 4
  private static let limit = 12

  private struct Share {
    var uid: UInt32
    var pending = 0
    var bucket: TokenBucket

    /// Plasma's settings ask for each finger of the picture again at every change.
    init(uid: UInt32, at now: Int64) {
      self.uid = uid
      bucket = TokenBucket(burst: 200, period: 100, at: now)
    }
  }

  private var shares: [Share] = []

  /// Takes a place, at a moment in milliseconds; false where there is none.
  mutating func take(_ uid: UInt32, at now: Int64) -> Bool {
    shares.removeAll { $0.pending == 0 && $0.bucket.isFull(at: now) }
    guard shares.reduce(0, { $0 + $1.pending }) < AskingShares.limit, shares.count < 256 else { return false }
    var share = shares.first { $0.uid == uid } ?? Share(uid: uid, at: now)
    guard share.pending < AskingShares.limitOfUser, share.bucket.take(at: now) else { return false }
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
