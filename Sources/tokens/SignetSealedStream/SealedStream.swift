import CSodium
import SignetBytes
import SignetMemory
import SignetSessionTokens

/// What `signet token seal` writes: a head with the wrapped key, and then parts of 64 KiB, each of which is encrypted and
/// authenticated, by libsodium's secretstream (XChaCha20-Poly1305). Parts that are missing, changed or in another order, and an end
/// that is missing, are noticed.
///
/// The head: `SGsl`, the version 1, the length of the wrapped key in two bytes, little-endian, that key, and 24 bytes of the stream.
public enum SealedStream {
  /// Bytes of each part but the last, in clear.
  public static let part = 65_536
  /// How many bytes longer a part is when it is sealed.
  public static let overhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
  /// The longest head.
  static let mark = Array("SGsl".utf8) + [1]
  static let streamHead = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)

  /// What is wrong with what was to be unsealed.
  public enum Failure: Error, Equatable, Sendable {
    /// It does not begin as something that was sealed.
    case foreign
    /// A part was altered or left out, or the end is missing.
    case damaged
    /// There is no memory.
    case exhausted
  }
}

/// Seals part after part.
public struct SealingStream: ~Copyable {
  private let state: StreamState
  /// To be written before the parts.
  public let head: [UInt8]

  public init(_ key: borrowing SessionSealingKey) {
    let state = StreamState()
    var streamHead = [UInt8](repeating: 0, count: SealedStream.streamHead)
    unsafe key.secret.span.withUnsafeBufferPointer { secret in
      // It always succeeds.
      _ = unsafe state.use { unsafe crypto_secretstream_xchacha20poly1305_init_push($0, &streamHead, secret.baseAddress!) }
    }
    self.state = state
    head = SealedStream.mark + Array(littleEndian: key.wrapped.count, size: 2) + key.wrapped + streamHead
  }

  /// The next part, sealed. The last one, which may be empty, says that it is.
  public mutating func seal(_ part: Span<UInt8>, isLast: Bool) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: part.count + SealedStream.overhead)
    let tag = UInt8(isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : 0)
    unsafe part.withUnsafeBufferPointer { plain in
      _ = unsafe state.use {
        unsafe crypto_secretstream_xchacha20poly1305_push(
          $0, &sealed, nil, plain.baseAddress, UInt64(plain.count), nil, 0, tag)
      }
    }
    return sealed
  }
}

/// Unseals part after part.
public struct UnsealingStream: ~Copyable {
  /// What the head says, before there is a key.
  public struct Head: Sendable {
    /// For which signetd gives the key.
    public let wrapped: [UInt8]
    fileprivate let stream: [UInt8]
    /// Bytes of the head.
    public let length: Int

    /// Reads the head at the beginning of `bytes`.
    public init(_ bytes: [UInt8]) throws(SealedStream.Failure) {
      var fields = ByteReader(bytes.span)
      do throws(FormatError) {
        guard Array(copying: try fields.bytes(SealedStream.mark.count)) == SealedStream.mark else { throw .badValue }
        wrapped = Array(copying: try fields.string(limit: 128))
        stream = Array(copying: try fields.bytes(SealedStream.streamHead))
        length = SealedStream.mark.count + 2 + wrapped.count + stream.count
      } catch {
        throw .foreign
      }
    }

    /// The longest one.
    public static let limit = SealedStream.mark.count + 2 + 128 + SealedStream.streamHead
  }

  private let state: StreamState
  /// Whether the last part has come.
  public private(set) var isOver = false

  public init(_ key: borrowing SessionSealingKey, _ head: Head) throws(SealedStream.Failure) {
    let state = StreamState()
    let code = unsafe key.secret.span.withUnsafeBufferPointer { secret in
      unsafe state.use { unsafe crypto_secretstream_xchacha20poly1305_init_pull($0, head.stream, secret.baseAddress!) }
    }
    guard code == 0 else { throw .damaged }
    self.state = state
  }

  /// The next part in clear.
  public mutating func unseal(_ sealed: [UInt8]) throws(SealedStream.Failure) -> SecretBytes {
    let count = sealed.count - SealedStream.overhead
    guard !isOver, count >= 0 else { throw .damaged }
    guard var plain = SecretBytes(capacity: max(1, count)) else { throw .exhausted }
    var tag: UInt8 = 0
    let written = unsafe plain.replace { output in
      let code = unsafe state.use {
        unsafe crypto_secretstream_xchacha20poly1305_pull(
          $0, output.baseAddress!.assumingMemoryBound(to: UInt8.self), nil, &tag, sealed, UInt64(sealed.count), nil, 0)
      }
      return code == 0 ? count : -1
    }
    guard written == count else { throw .damaged }
    isOver = tag == crypto_secretstream_xchacha20poly1305_tag_final()
    return plain
  }
}

/// libsodium's state of a stream, which has a key in it and is wiped. A class, because of a value that cannot be copied and is nobody
/// else's business the linker misses the end in other modules.
@safe private final class StreamState: @unchecked Sendable {
  typealias State = crypto_secretstream_xchacha20poly1305_state
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init() { unsafe state.initialize(to: State()) }

  deinit {
    unsafe sodium_memzero(state, MemoryLayout<State>.size)
    unsafe state.deallocate()
  }

  func use(_ body: (UnsafeMutablePointer<State>) -> Int32) -> Int32 { unsafe body(state) }
}
