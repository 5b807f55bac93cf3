import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire

/// `pam-host administer PATH UID REQUEST [WORD] [--answers]`: asks signetd as this uid, prints each reply, and answers the
/// passcode question from descriptor 3.
func administer(_ words: [String]) throws {
  var passcodes = words.last == "--answers" ? Options.linesOfDescriptor3()[...] : []
  guard let uid = uid_t(words[1]), setgid(uid) == 0, setuid(uid) == 0 else { throw TestKitError("not root") }
  let client = try LoginClient(socket: words[0])
  let word = words.count > 3 && words[3] != "--answers" ? words[3] : ""
  if words[2] == "authenticate" {
    try client.authenticate(word)
    return emit("{\"step\":\"reply\",\"text\":\(JSON.quoted("\(try client.next())"))}")
  }
  if words[2] == "finger" { return try logInByFinger(client, service: word) }
  if words[2] == "passcode-changed" {
    return emit(try client.passcodeChanged(word, from: passcodes.popFirst() ?? "", to: "new"))
  }
  if let request = vaultRequest(words[2], word) {
    return emit(try client.ask(request, value: [1], Proving(passcode: passcodes.popFirst())))
  }
  guard let request = request(words[2], word) else { throw TestKitError("no request \(words[2])") }
  try client.send(request)
  while true {
    let reply = try client.nextAdministration()
    emit("{\"step\":\"reply\",\"text\":\(JSON.quoted("\(reply)"))}")
    switch reply {
    case .askPasscode:
      if let passcode = passcodes.popFirst() { try client.answer(passcode: passcode) } else { try client.cancel() }
    case .done, .refused: return
    default: continue
    }
  }
}

/// Says when the reader is armed, and what the verdict brought.
private func logInByFinger(_ client: LoginClient, service: String) throws {
  try client.authenticate("nobody", service: service)
  try client.awaitArmed()
  emit("{\"step\":\"armed\"}")
  let isSuccess = try client.verdict().isSuccess
  emit("{\"step\":\"reply\",\"text\":\"success \(isSuccess), login secret \(!client.authtok.isEmpty)\"}")
}

private func emit(_ answer: VaultAnswer) {
  emit("{\"step\":\"reply\",\"text\":\(JSON.quoted("\(answer)"))}")
}

private func vaultRequest(_ name: String, _ word: String) -> VaultRequest? {
  let item = ItemName(service: "stock-unasked", account: "account-unasked")
  return switch name {
  case "vault-add": .add(user: word, Item(item), length: 1)
  case "vault-update": .update(user: word, Item(item), length: 1)
  case "vault-read": .read(user: word, item)
  case "vault-delete": .delete(user: word, item)
  case "vault-list": .list(user: word)
  case "vault-recover": .recover(user: word)
  case "vault-reset": .reset(user: word)
  case "key-make": .makeKey(user: word, Item(ItemName(kind: .key, service: "another's", account: "")))
  case "key-sign":
    .sign(user: word, ItemName(kind: .key, service: "stock", account: ""), digest: [UInt8](repeating: 1, count: ItemLimit.digest))
  default: nil
  }
}

private func request(_ name: String, _ word: String) -> AdministrationRequest? {
  switch name {
  case "enroll": .enroll(user: word, nil, reader: "")
  case "delete": .delete(user: word, nil)
  case "import": .importFprintd(user: word)
  case "list": .list(user: word)
  case "status": .status(user: word)
  case "history": .history(user: word, limit: 100)
  case "reset": .reset(user: word)
  case "readers": .readers
  case "sessions": .sessions
  case "suspend": .suspend
  case "resume": .resume
  case "revoke": .revokeSession(identifier: word)
  default: nil
  }
}
