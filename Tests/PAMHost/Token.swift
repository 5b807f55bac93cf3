import CLinux
import Glibc

/// `pam-host token [UID]`: what a program of the session, with this uid, sees of the token; `pam-host token-elsewhere`: what
/// one outside the session sees that knows the key's number.
func printToken(_ words: [String]) {
  if words.count > 1, let uid = uid_t(words[1]) { _ = setuid(uid) }
  let ring = clinux_keyctl(KEYCTL_GET_KEYRING_ID, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), 0, 0, 0)
  let key = "user".withCString { type in
    "signet:token".withCString { name in
      clinux_keyctl(
        KEYCTL_SEARCH, UInt(bitPattern: Int(KEY_SPEC_SESSION_KEYRING)), UInt(bitPattern: type), UInt(bitPattern: name), 0)
    }
  }
  guard key > 0 else { return report(ring, key, "errno", Int(clinux_errno())) }
  if words[0] == "token-elsewhere" { _ = clinux_keyctl(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) }
  var text = [UInt8](repeating: 0, count: 256)
  let count = text.withUnsafeMutableBytes { buffer in
    clinux_keyctl(KEYCTL_READ, UInt(key), UInt(bitPattern: buffer.baseAddress), UInt(buffer.count), 0)
  }
  guard count >= 0 else { return report(ring, key, "errno", Int(clinux_errno())) }
  emit(
    "{\"step\":\"token\",\"ring\":\(ring),\"key\":\(key),\"text\":\(JSON.quoted(String(decoding: text[..<count], as: UTF8.self)))}"
  )
}

private func report(_ ring: Int, _ key: Int, _ name: String, _ value: Int) {
  emit("{\"step\":\"token\",\"ring\":\(ring),\"key\":\(key),\"\(name)\":\(value)}")
}
