/// HMAC (RFC 2104) by a hash with blocks of 64 bytes: for forged tokens, which is all that HMAC is good for here.
public func hmac(_ message: [UInt8], key: [UInt8], hash: ([UInt8]) -> [UInt8]) -> [UInt8] {
  let short = key.count > 64 ? hash(key) : key
  let padded = short + Array(repeating: 0, count: 64 - short.count)
  return hash(padded.map { $0 ^ 0x5C } + hash(padded.map { $0 ^ 0x36 } + message))
}
