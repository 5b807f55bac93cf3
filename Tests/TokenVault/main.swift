import SignetAuth

// Keeps a refresh token in the owner's vault, as the words on the command line say, for tests with a real signetd.

let key = TokenKey(service: "https://issuer.example", account: "alice", kind: .refresh)
let storage = KeychainTokenStorage(reason: "sign in at issuer.example")

func run(_ word: String) throws -> String {
  switch word {
  case "store":
    try storage.store(token: "first", for: key)
    return "stored"
  case "replace":
    try storage.store(token: "second", for: key)
    return "replaced"
  case "load": return "loaded " + (try storage.retrieve(for: key) ?? "nothing")
  case "delete":
    try storage.delete(for: key)
    return "deleted"
  default: return "unknown \(word)"
  }
}

for word in CommandLine.arguments.dropFirst() {
  do { print(try run(word)) } catch { print("failed \(error)") }
}
