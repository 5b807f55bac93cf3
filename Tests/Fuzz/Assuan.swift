import SignetMemory
import SignetPinentry

extension FuzzTarget {
  /// What pinentry or gpg-agent says, as bytes of a pipe.
  ///
  /// No line is longer than the protocol's, and each has the bytes that came. What a D line holds is the same again when it is escaped
  /// and read once more, and no longer than what is accepted.
  static let assuan = FuzzTarget(
    name: "assuan", longest: 4096,
    seeds: {
      [
        "OK Pleased to meet you\nD right%20horse%25\nOK\n", "ERR 83886179 Operation cancelled <Pinentry>\r\n",
        "S INQUIRE_MAXLEN 255\n",
        "INQUIRE PASSPHRASE\n", "# comment\n", "D %0", "D %zz\n", "ERR 99999999999 x\n",
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      guard var line = try? AssuanLine(), var data = SecretBytes(capacity: AssuanLimit.data) else { return }
      for index in bytes.indices {
        guard let isWhole = try? line.take(bytes[index]) else { return }
        guard isWhole else { continue }
        require(line.span.count <= AssuanLimit.line, "a line of \(line.span.count) bytes")
        data.removeAll()
        guard let reply = try? AssuanReply(parsing: line.span, data: &data) else { continue }
        require(reply == .data || data.count == 0, "\(reply) has data")
        if reply == .data { requireSameEscaped(data) }
      }
    })
}

private func requireSameEscaped(_ data: borrowing SecretBytes) {
  guard var escaped = SecretBytes(capacity: 3 * AssuanLimit.data), var again = SecretBytes(capacity: AssuanLimit.data) else {
    return
  }
  do throws(AssuanError) {
    try AssuanText.escape(data.span, into: &escaped)
    for index in escaped.span.indices { require(escaped.span[index] != 10 && escaped.span[index] != 13, "an end of a line") }
    try AssuanText.unescape(escaped.span, into: &again)
  } catch { fail("what was read cannot be written: \(error)") }
  require(equal(data.span, again.span), "what was read is written as something else")
}
