/// The packets of `Tests/SignetWireTests/vectors` for these messages, the refused ones too: each is a step from a good one.
func vectors(of messages: [String]) -> [[UInt8]] {
  let folder = "\(#filePath)".split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/SignetWireTests/vectors"
  let texts = ["administration", "contexts", "login", "reader", "tpm", "vault"].map {
    String(decoding: readFile("\(folder)/\($0).txt"), as: UTF8.self)
  }
  return messages.flatMap { message in
    let found = texts.flatMap { packets(in: $0, of: message) }
    if found.isEmpty { fail("\(folder) has no packet of \(message)") }
    return found
  }
}

private func packets(in text: String, of message: String) -> [[UInt8]] {
  var packets: [[UInt8]] = []
  var isWanted = false
  for line in text.split(separator: "\n") {
    if line.hasPrefix("message: ") { isWanted = line == "message: \(message)" }
    guard isWanted, line.hasPrefix("hex: ") else { continue }
    packets.append(line.dropFirst("hex: ".count).split(separator: " ").map { UInt8($0, radix: 16)! })
  }
  return packets
}
