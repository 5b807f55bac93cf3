import CLinux
import Glibc

/// A socket path at which one of libfprint's virtual readers listens while it is open, and the hand that puts fingers on
/// it. The folder is removed when the value ends.
public final class VirtualReader {
  /// libfprint's virtual drivers: a plain one that verifies only, one with its own storage, one that takes images.
  public enum Kind: String, Sendable { case device, storage, image }

  public let kind: Kind
  public let path: String
  private let folder: String
  private var connection: Int32 = -1

  public init(_ kind: Kind) throws {
    self.kind = kind
    folder = try makeTemporaryFolder("reader")
    path = folder + "/reader"
  }

  deinit {
    disconnect()
    unlink(path)
    rmdir(folder)
  }

  /// What signet-reader's command line calls it.
  public var arguments: [String] { ["--virtual-reader", "\(kind.rawValue)=\(path)"] }

  /// What signet.conf calls it.
  public var configuration: String { "virtual_reader = \(kind.rawValue):\(path)" }

  /// The identifier of the reader, as signet-reader makes it for the first of its kind.
  public var identifier: String {
    switch kind {
    case .device: "virtual_device:0"
    case .storage: "virtual_device_storage:0"
    case .image: "virtual_image:0"
    }
  }

  // MARK: Readers of kind device and storage

  /// Puts a finger on the reader: fingers with the same name match. It counts when the reader next waits for one. Before the next
  /// finger somebody has to have seen this one: of two that wait the driver loses one.
  public func scan(_ finger: String) throws { try touch("SCAN \(finger)") }

  /// The next scan is a poor one, for this reason (`FpDeviceRetry`).
  public func poorScan(_ reason: Int = 0) throws { try touch("RETRY \(reason)") }

  /// The operation that runs, or the next one, fails with this `FpDeviceError`.
  public func fail(_ error: Int) throws { try touch("ERROR \(error)") }

  /// The driver tells a verdict before its call is over, and takes a finger that comes until then for another one of that call, which
  /// is lost. Once it has answered something else, that call is over.
  private func touch(_ text: String) throws {
    try command("LIST")
    try command(text)
  }

  public func unplug() throws { try command("UNPLUG") }

  /// Puts a print into the storage, as if another system had enrolled it; removes one.
  public func insert(_ finger: String) throws { try command("INSERT \(finger)") }
  public func remove(_ finger: String) throws { try command("REMOVE \(finger)") }

  /// Lets one deletion, listing or clearing go on: without it the driver waits half a second, and clearing fails then.
  public func proceed() throws { try command("CONT ") }

  /// The prints in the storage, sorted. What was inserted counts once something has run since.
  public func stored() throws -> [String] {
    try command("LIST").split(separator: "\n").map(String.init).sorted()
  }

  /// Sends one command of libfprint's virtual device (its virtual-device.c), one connection each, and waits until the
  /// driver has taken it. The reader must be open. Returns the driver's answer.
  @discardableResult public func command(_ text: String) throws -> String {
    let socket = try connect()
    defer { close(socket) }
    try write(Array(text.utf8), to: socket)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = try wait(for: socket) { recv(socket, &buffer, buffer.count, 0) }
      // Reset: the reader was closed, and nobody has read it.
      guard count >= 0 else { throw TestKitError("the virtual reader did not take \(text): \(clinux_errno())") }
      if count == 0 { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  // MARK: Readers of kind image

  /// Puts a finger with this picture on the reader, and lifts it.
  public func present(_ image: PrintImage) throws {
    try sendToImageReader([Int32(image.width), Int32(image.height)], pixels: image.pixels)
  }

  /// Puts the finger on and sends no more than so many bytes of its picture: a reader that stops in the middle.
  public func present(_ image: PrintImage, upTo limit: Int) throws {
    try sendToImageReader([Int32(image.width), Int32(image.height)], pixels: image.pixels, upTo: limit)
  }

  /// A poor scan (`FpDeviceRetry`).
  public func presentPoorScan(_ reason: Int32 = 0) throws { try sendToImageReader([-1, reason]) }

  /// A failure of the reader (`FpDeviceError`).
  public func presentError(_ error: Int32) throws { try sendToImageReader([-2, error]) }

  /// Whether each picture comes with a finger that is put on before and lifted after it, as at first.
  public func setLiftsFinger(_ lifts: Bool) throws { try sendToImageReader([-3, lifts ? 1 : 0]) }

  /// Puts a finger on, or lifts it, without a picture.
  public func reportFinger(_ isPresent: Bool) throws { try sendToImageReader([-4, isPresent ? 1 : 0]) }

  /// Connects without presenting anything: the driver finishes a cancel only while somebody is connected.
  public func connectToImageReader() throws { if connection < 0 { connection = try connect() } }

  /// Ends the connection; a reader that was closed and opened again needs a new one.
  public func disconnect() {
    if connection >= 0 { close(connection) }
    connection = -1
  }

  private func sendToImageReader(_ numbers: [Int32], pixels: [UInt8] = [], upTo limit: Int = .max) throws {
    let all = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } + pixels
    let bytes = Array(all.prefix(limit))
    try connectToImageReader()
    do {
      try write(bytes, to: connection)
    } catch {
      // The reader was closed and opened since.
      disconnect()
      try connectToImageReader()
      try write(bytes, to: connection)
    }
  }

  // MARK: The socket

  /// Waits until it is closed: after a cancel that is a moment later.
  public func awaitClosed() throws {
    try SignetTestKit.wait(for: "the virtual reader to be closed") {
      guard let socket = try? connect() else { return true }
      close(socket)
      return false
    }
  }

  private func connect() throws -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw TestKitError("socket: \(clinux_errno())") }
    guard clinux_connect_unix(socket, path) == 0 else {
      let cause = clinux_errno()
      close(socket)
      throw TestKitError("the virtual reader is not open: \(String(cString: strerror(cause)))")
    }
    return socket
  }

  private func write(_ bytes: [UInt8], to socket: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestKitError("the virtual reader hung up: \(clinux_errno())") }
      rest = rest.dropFirst(count)
    }
  }

  private func wait(for socket: Int32, _ body: () -> Int) throws -> Int {
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, waitingLimit) == 1 else { throw TestKitError("the virtual reader does not answer") }
    return body()
  }
}

/// A picture of a finger: one byte a pixel, row after row, 255 for paper and 0 for ink, at 500 dots per inch.
public struct PrintImage: Equatable, Sendable {
  public var width: Int
  public var height: Int
  public var pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
