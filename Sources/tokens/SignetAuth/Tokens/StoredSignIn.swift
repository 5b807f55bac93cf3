import SignetJWT

/// What stands in the storage: a refresh token, and who it is for.
struct StoredSignIn: Equatable, Sendable {
  let refreshToken: String
  let user: User

  init(refreshToken: String, user: User) {
    self.refreshToken = refreshToken
    self.user = user
  }

  init(_ text: String) throws(TokenStorageError) {
    guard let object = try? JSONReader.object(Array(text.utf8), limit: 1 << 17), let token = object["token"]?.string,
      let id = object["user"]?.string
    else { throw .damaged }
    refreshToken = token
    user = User(id: id, name: object["name"]?.string)
  }

  var text: String {
    var object: JSONObject = ["token": .string(refreshToken), "user": .string(user.id)]
    if let name = user.name { object["name"] = .string(name) }
    return String(decoding: object.encoded, as: UTF8.self)
  }
}
