import Glibc

/// How the nodes of USB devices look at one moment: which there are, and who may use them. A reader that was looked at before udev gave
/// its node to signet-reader is not found, and nothing tells of it later but its node.
struct DeviceNodes: Equatable {
  private struct Node: Equatable {
    var path: String
    var device: UInt64
    var changed: Int64
  }

  private let nodes: [Node]

  /// As they are now. `root` has a folder for each bus.
  init(below root: String = "/dev/bus/usb") {
    let names = DeviceNodes.names
    let paths = names(root).flatMap { bus in names("\(root)/\(bus)").map { "\(root)/\(bus)/\($0)" } }
    nodes = paths.sorted().compactMap(DeviceNodes.node)
  }

  private static func node(_ path: String) -> Node? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    return Node(path: path, device: UInt64(status.st_rdev), changed: changed)
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
