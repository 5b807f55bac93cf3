import CLinux
import Glibc

/// What programs write into a pipe.
public final class Lines {
  /// The end for the program; closed here by the first `read`.
  public private(set) var writer: Int32
  private let reader: Int32
  public private(set) var text = ""

  public init() throws {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw TestKitError("pipe: \(clinux_errno())") }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  /// Reads until the text is there, so many times; `limit` is the milliseconds without anything new.
  public func read(until wanted: String, times: Int = 1, within limit: Int32 = waitingLimit) throws {
    if writer >= 0 { close(writer) }
    writer = -1
    var buffer = [UInt8](repeating: 0, count: 4096)
    while text.ranges(of: wanted).count < times {
      var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, limit) > 0 else { throw TestKitError("no \"\(wanted)\": \(text)") }
      let count = Glibc.read(reader, &buffer, buffer.count)
      guard count > 0 else { throw TestKitError("ended without \"\(wanted)\": \(text)") }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// Reads what is there already.
  public func readOn() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) > 0, case let count = Glibc.read(reader, &buffer, buffer.count), count > 0 {
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// Reads to the end of what is written.
  public func readToEnd() {
    if writer >= 0 { close(writer) }
    writer = -1
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = Glibc.read(reader, &buffer, buffer.count), count > 0 {
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}
