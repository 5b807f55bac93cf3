import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetVocabulary
import SignetWire

/// The prints that fprintd keeps of a user: files `DRIVER/DEVICE/FINGER` below a folder of the user's name, where the finger is
/// libfprint's number in hexadecimal. What stands in them is signet-reader's to read.
///
/// No link is followed, and nothing is believed that somebody else than root could have put there; nothing is written.
struct FprintdPrints {
  /// fprintd's own.
  static let folder = "/var/lib/fprint"

  /// The most that a folder may hold, and the most prints: ten fingers on a few readers.
  static let most = 64

  /// Where a print is, and what it should be by that.
  struct FileLocation: Equatable {
    let driver: String
    let device: String
    let finger: Finger

    /// `ReaderDescription.identifier` of the first reader of this driver and device.
    var reader: String { "\(driver):\(device)" }
    fileprivate var name: String { String(finger.rawValue, radix: 16) }
  }

  /// Sorted.
  private(set) var locations: [FileLocation] = []
  /// Folders that are not read, each with all that may be in it.
  private(set) var faults: [ImportRow] = []

  private let base: String
  private let user: String

  /// Looks for the prints of a user of the system below fprintd's folder.
  init(of user: User, below base: String = folder) {
    self.base = base
    self.user = user.name
    // Such names are no account's, but a directory service may say anything.
    guard !["", ".", ".."].contains(user.name), !user.name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
      return
    }
    do {
      guard let own = try ownFolder() else { return }
      for driver in try own.names(atMost: FprintdPrints.most) { lookForDevices(of: driver) }
    } catch {
      note(error)
    }
  }

  private func ownFolder() throws(SystemError) -> StateDirectory? {
    do {
      return try StateDirectory(path: base, create: false).existingDirectory(user)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  private mutating func note(_ error: SystemError, reader: String = "") {
    if faults.count < FprintdPrints.most { faults.append(ImportRow(finger: nil, reader: reader, outcome: .unreadable(error))) }
  }

  private mutating func lookForDevices(of driver: String) {
    do {
      guard let devices = try ownFolder()?.existingDirectory(driver) else { return }
      for device in try devices.names(atMost: FprintdPrints.most) { lookForFingers(driver, device) }
    } catch {
      note(error)
    }
  }

  private mutating func lookForFingers(_ driver: String, _ device: String) {
    let reader = "\(driver):\(device)"
    let path = "\(base)/\(user)/\(driver)/\(device)"
    guard reader.utf8.count <= FieldLimit.name else { return note(.call(.open, path, code: ENAMETOOLONG)) }
    do throws(SystemError) {
      guard let folder = try ownFolder()?.existingDirectory(driver)?.existingDirectory(device) else { return }
      // fprintd makes no files of other names, and passes over them, too.
      let found = try folder.names(atMost: FprintdPrints.most).compactMap(FprintdPrints.finger).sorted()
      guard locations.count + found.count <= FprintdPrints.most else { throw SystemError.call(.read, path, code: EFBIG) }
      locations += found.map { FileLocation(driver: driver, device: device, finger: $0) }
    } catch {
      note(error, reader: reader)
    }
  }

  private static func finger(_ name: String) -> Finger? {
    Finger.allCases.first { String($0.rawValue, radix: 16) == name }
  }

  /// The bytes of a print, whatever they are.
  func read(_ location: FileLocation) throws(SystemError) -> ClearTemplate {
    let path = "\(base)/\(user)/\(location.driver)/\(location.device)"
    let folder = try ownFolder()?.existingDirectory(location.driver)?.existingDirectory(location.device)
    guard var bytes = try folder?.read(location.name, limit: FieldLimit.template) else {
      throw .call(.open, "\(path)/\(location.name)", code: ENOENT)
    }
    defer {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
      }
    }
    do { return try ClearTemplate(copying: bytes.span) } catch {
      // There are none, or there is no memory for them.
      throw .call(.read, "\(path)/\(location.name)", code: bytes.isEmpty ? ENODATA : ENOMEM)
    }
  }
}
