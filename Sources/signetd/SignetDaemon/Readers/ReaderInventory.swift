import Glibc
import SignetVocabulary
import SignetWire

/// Which readers there are, for whoever only wants to know whether there is one: kept from the last listing, so that an application
/// that asks often starts no signet-reader. A value without I/O, but for what `DeviceFolders` looks at.
struct ReaderInventory {
  /// How long a listing is believed at most, in milliseconds; readers that are not files tell nobody when they come.
  private static let age: Int64 = 60_000

  private struct Known {
    var readers: [ReaderDescription]
    var folders: DeviceFolders
    var time: Int64
  }

  private var known: Known?
  /// The readers that operations open, or have open, by those.
  private var open: [UInt32: String] = [:]
  /// Readers that were removed while they were in use. They are gone until one of them can be opened again, or something is plugged in.
  private var removed: Set<String> = []
  /// Grows when something is known to have changed.
  private(set) var revision: UInt64 = 0

  /// `beside`: whether the readers that were opened before stay open.
  mutating func noteOpening(_ reader: String, _ operation: UInt32, beside: Bool) {
    if !beside { open.removeAll() }
    open[operation] = reader
  }

  mutating func note(_ event: ReaderEvent) {
    let reader = open[event.operation]
    switch event {
    case .opened: if let reader, removed.remove(reader) != nil { change() }
    case .failed(_, .removed, _):
      // A scan on several says so where it has ended on all of them.
      let gone = reader.map { [$0] } ?? Array(open.values)
      if !removed.isSuperset(of: gone) {
        removed.formUnion(gone)
        change()
      }
    case .failed(_, .notFound, _): if known?.readers.contains(where: { $0.identifier == reader }) == true { change() }
    default: break
    }
  }

  private mutating func change() {
    known = nil
    revision += 1
  }

  /// Something was plugged in or out.
  mutating func forget() {
    removed = []
    change()
  }

  mutating func keep(_ readers: [ReaderDescription], _ folders: DeviceFolders, at now: Int64) {
    known = Known(readers: readers, folders: folders, time: now)
  }

  /// The readers, where they are known.
  func readers(_ folders: DeviceFolders, at now: Int64) -> [ReaderDescription]? {
    guard let known, known.folders == folders, now >= known.time, now - known.time < ReaderInventory.age else { return nil }
    return present(known.readers)
  }

  /// Those of a listing that were not removed since.
  func present(_ readers: [ReaderDescription]) -> [ReaderDescription] { readers.filter { !removed.contains($0.identifier) } }
}

/// How the folders of devices look: what is plugged in or out changes them.
struct DeviceFolders: Equatable {
  private let changes: [Int64]

  /// As they are now.
  static var now: DeviceFolders {
    // The nodes of hidraw and spidev are in /dev itself, those of USB in a folder for each bus.
    let paths = ["/dev", "/dev/bus/usb"] + (1...16).map { "/dev/bus/usb/" + ($0 < 10 ? "00\($0)" : "0\($0)") }
    return DeviceFolders(
      changes: paths.map { path in
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return -1 }
        return Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
      })
  }
}
