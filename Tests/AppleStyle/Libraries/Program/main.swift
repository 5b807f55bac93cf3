// Runs what the libraries' own tests would, and prints what comes of it, for a test that has a signetd.
import Chest
import FingerSafe
import Foundation
import LocalAuthentication
import Plain
import PlainByFlag

func told(_ name: String, _ body: () throws -> Any?) {
  do { print(name, try body() ?? "nil") } catch { print(name, "failed", error) }
}

func chest() {
  let chest = Chest(service: "tests")
  told("empty") { chest["a"] }
  chest["c"] = "1"
  chest["a"] = "2"
  chest["b"] = "3"
  told("found") { chest["c"]! + chest["a"]! + chest["b"]! }
  told("keys") { chest.keys.joined(separator: ",") }
  chest["a"] = "changed"
  told("changed") { chest["a"] }
  chest["c"] = nil
  told("keys") { chest.keys.joined(separator: ",") }
  let cloud = Chest(service: "tests", synchronizable: true)
  cloud["d"] = "4"
  told("synchronizable") { cloud.rows.map { $0["sync"] as? Bool == true ? "yes" : "no" }.joined(separator: ",") }
  let own = Chest.ownGroup()
  told("group") { chest.rows.allSatisfy { $0["agrp"] as? String == own } && own != nil }
  told("own") { Chest(service: "tests", accessGroup: own).keys.count }
  told("other") { try Chest(service: "tests", accessGroup: "TEAM.other").data("a") }
  told("removed") {
    try chest.removeAll()
    return chest.keys.count
  }
  told("removed") { try chest.removeAll() }
}

func safe() async {
  let safe = FingerSafe(account: "me")
  told("biometry") { FingerSafe.biometry }
  told("environment") { FingerSafe.environment }
  told("state") { FingerSafe.state?.isEmpty == false && FingerSafe.state == FingerSafe.state }
  told("control") { try FingerSafe.control("nonsense" as CFString, []) }
  told("stored") { try safe.store("one") }
  told("loaded") { try safe.load("open the safe") }
  // What the context has proved holds.
  told("stored") { try safe.store("two") }
  told("loaded") { try safe.load("open the safe") }
  do { print("confirmed", try await FingerSafe(account: "me").confirm("be there")) } catch { print("confirmed failed", error) }
}

func keyBox() {
  let box = KeyBox(name: "tests.box")
  box.reason = "open the box"
  told("none") { try box.load(.open) }
  told("generated") {
    let pair = try box.generate()
    return pair.open == SecKeyCopyPublicKey(pair.closed)
  }
  told("both") { try box.load(.open) == SecKeyCopyPublicKey(box.load(.closed)) }
  told("opened") { try box.open(box.seal("a secret")) }
  told("altered") {
    var sealed = try box.seal("a secret")
    sealed[sealed.count - 1] ^= 1
    return try box.open(sealed)
  }
  told("pem") { try box.pem().split(separator: "\n").map(\.count) }
  told("cleared") { box.clear() }
  told("none") { try box.load(.closed) }
  // A key of the program's own is kept, and is the same afterwards.
  told("brought") {
    let kind = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as CFDictionary
    let bytes = SecKeyCopyExternalRepresentation(SecKeyCreateRandomKey(kind, nil)!, nil)! as Data
    try box.bring(bytes)
    return try SecKeyCopyExternalRepresentation(box.load(.closed), nil)! as Data == bytes
  }
  told("cleared") { box.clear() }
}

func plain() {
  told("key") { try Plain.Secrets.key(32).count + PlainByFlag.Secrets.key(16).count }
  told("saved") { try Plain.Secrets.save(Data("p".utf8), server: "example.com", account: "ada") }
  told("loaded") { String(decoding: try PlainByFlag.Secrets.load(server: "example.com", account: "ada"), as: UTF8.self) }
  do { _ = try Plain.Secrets.load(server: "example.com", account: "bob") } catch { print("lost", error.localizedDescription) }
}

switch CommandLine.arguments.dropFirst().first {
case "chest": chest()
case "safe": await safe()
case "keys": keyBox()
default: plain()
}
print("end")
