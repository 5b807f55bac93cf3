import SignetJWT

/// What stands in the storage of a sign-in, so that no single failure loses it: the refresh token, the one before it, and what was asked
/// of the server that has no answer yet.
struct StoredSignIn: Equatable, Sendable {
  /// The newest that the server gave.
  var refreshToken: String
  var user: User
  /// The one that was exchanged for it, kept until the newest has worked once: where the server does not take the newest, it may take
  /// this one.
  var previous: String?
  /// Whether a refresh was sent whose answer is not here: the server may have given a token that nobody has.
  var isAsked = false
  /// How often the server has refused all of this. What it refuses twice is erased.
  var refusals = 0

  /// The form that is written. A form without a number is the first one, which had a token and a user alone.
  private static let form = 2

  init(refreshToken: String, user: User, previous: String? = nil) {
    self.refreshToken = refreshToken
    self.user = user
    self.previous = previous
  }

  init(_ text: String) throws(TokenStorageError) {
    guard let object = try? JSONReader.object(Array(text.utf8), limit: 1 << 17), let token = object["token"]?.string,
      let id = object["user"]?.string
    else { throw .damaged }
    // Of a newer program's: it is left alone.
    guard (object["form"]?.integer ?? 1) <= StoredSignIn.form else { throw .damaged }
    refreshToken = token
    user = User(id: id, name: object["name"]?.string)
    previous = object["previous"]?.string
    isAsked = object["asked"] == true
    refusals = object["refusals"]?.integer.map { Int($0) } ?? 0
  }

  var text: String {
    var object: JSONObject = [
      "form": .integer(StoredSignIn.form), "token": .string(refreshToken), "user": .string(user.id),
    ]
    if let name = user.name { object["name"] = .string(name) }
    if let previous { object["previous"] = .string(previous) }
    if isAsked { object["asked"] = true }
    if refusals > 0 { object["refusals"] = .integer(refusals) }
    return String(decoding: object.encoded, as: UTF8.self)
  }

  /// What the server may take, the likeliest first.
  var candidates: [String] { [refreshToken] + (previous.map { [$0] } ?? []) }

  /// The same, about to be asked for.
  var asked: StoredSignIn {
    var asked = self
    asked.isAsked = true
    return asked
  }

  /// The same after the server has refused all of it once more.
  var refused: StoredSignIn {
    var refused = self
    refused.refusals += 1
    return refused
  }

  /// What follows: the server took `used`, and gave `next` or lets `used` go on.
  func followed(by next: String?, after used: String, user: User) -> StoredSignIn {
    guard let next, !next.hasSameBytes(as: used) else {
      // It stays good, and so does what stands in the storage.
      var same = StoredSignIn(refreshToken: used, user: user)
      same.isAsked = isAsked
      return same
    }
    return StoredSignIn(refreshToken: next, user: user, previous: used)
  }
}
