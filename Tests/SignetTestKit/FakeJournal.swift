import CLinux
import Glibc

/// A socket that takes what journald would.
public final class FakeJournal {
  private let descriptor: Int32
  private let path: String

  public init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, clinux_bind_unix(descriptor, path) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// The fields of the next entry; none where none comes in time.
  public func next(within limit: Int32 = waitingLimit) throws -> [JournalFields.Field] {
    try JournalFields.parse(nextDatagram(within: limit))
  }

  public func nextDatagram(within limit: Int32 = waitingLimit) throws -> [UInt8] {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}

/// The journal's native protocol, read as journald reads it.
public enum JournalFields {
  public struct Field: Equatable, Sendable {
    public var name: String
    public var value: String
  }

  /// Throws where journald would drop something.
  public static func parse(_ datagram: [UInt8]) throws -> [Field] {
    var fields: [Field] = []
    var rest = datagram[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 10) else { throw TestKitError("a line without an end") }
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
        fields.append(Field(name: try name(line[..<equals]), value: String(decoding: line[(equals + 1)...], as: UTF8.self)))
        continue
      }
      guard rest.count >= 9 else { throw TestKitError("a binary field without a length") }
      let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      guard count >= 0, count < rest.count, rest[rest.startIndex + count] == 10 else {
        throw TestKitError("a binary field is cut")
      }
      fields.append(Field(name: try name(line), value: String(decoding: rest.prefix(count), as: UTF8.self)))
      rest = rest.dropFirst(count + 1)
    }
    return fields
  }

  private static func name(_ bytes: ArraySlice<UInt8>) throws -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let isValid = text.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".contains($0) } && !text.hasPrefix("_")
    guard isValid, (1...64).contains(text.count), text.first?.isNumber == false else { throw TestKitError("no field: \(text)") }
    return text
  }
}
