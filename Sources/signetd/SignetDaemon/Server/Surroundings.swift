import CLinux
import DaemonService
import Glibc
import SignetBytes
import SignetFiles

/// What happens around signetd: readers that are plugged in or out, and sessions that begin, end, come to the foreground or leave
/// it. Followed only while somebody has to be told.
struct Surroundings: ~Copyable {
  enum News {
    case devices, sessions
  }

  /// How long after a device came udev may take to give it to signet-reader, in milliseconds.
  private static let settling: Int64 = 1_000

  private var devices: Descriptor?
  private var sessions: SessionMonitor?
  /// Whether sessions are followed for the first time: what changed before is news, too.
  private var hasBegun = false
  /// When to try again to follow sessions, on the boot clock: before the first login after a boot there is nothing to follow, and
  /// finding that out takes some ten milliseconds.
  private var nextTry: Int64 = 0
  /// The pause between two of these, in milliseconds.
  private static let tryPause: Int64 = 1_000
  /// When to look at the devices again.
  private(set) var due: Int64?

  init() {}

  /// For poll(2); -1 for what is not followed.
  var descriptors: [Int32] {
    let raw: Int32 =
      switch devices {
      case .some(let devices): devices.raw
      case .none: -1
      }
    return [raw, sessions?.descriptor ?? -1]
  }

  /// `devices`, `sessions`: whether to follow these. `now` is on the boot clock.
  mutating func follow(
    devices followsDevices: Bool, sessions followsSessions: Bool, at now: Int64,
    by monitor: () -> SessionMonitor? = { SessionMonitor() }
  ) {
    if !followsDevices {
      devices = nil
      due = nil
    } else if devices == nil {
      let raw = clinux_device_news()
      if raw >= 0 { devices = Descriptor(raw) }
    }
    if !followsSessions {
      sessions = nil
    } else if sessions == nil, now >= nextTry {
      sessions = monitor()
      hasBegun = sessions != nil
      nextTry = now + Surroundings.tryPause
    }
  }

  /// What happened since the last time.
  mutating func news(at now: Int64) -> [News] {
    var news: [News] = []
    if let due, now >= due {
      self.due = nil
      news.append(.devices)
    }
    if takeDevices() {
      due = now + Surroundings.settling
      news.append(.devices)
    }
    if sessions?.takeChange() == true || hasBegun { news.append(.sessions) }
    hasBegun = false
    return news
  }

  private borrowing func takeDevices() -> Bool {
    guard case let raw = descriptors[0], raw >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: DeviceNews.limit)
    var isReader = false
    // So many at a time: a hub full of devices must not keep the main loop from its work.
    for _ in 0..<256 {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe clinux_next_device_news(raw, $0.baseAddress!, $0.count) }
      // Some were lost, where more came than the kernel keeps: one of those may have been a reader.
      if count < 0 { return isReader || clinux_errno() == ENOBUFS }
      isReader = DeviceNews.isAboutReader(buffer.prefix(count)) || isReader
    }
    return isReader
  }
}

/// What the kernel says of a device (netlink(7), `NETLINK_KOBJECT_UEVENT`): a head, and `NAME=value` behind it, each ended by a zero
/// byte. A device chooses some of the values.
enum DeviceNews {
  /// The longest that is looked at, in bytes: the kernel's own limit for the lines, and the head.
  static let limit = 8192

  /// Whether a device that may be a reader came or went.
  static func isAboutReader(_ bytes: some Collection<UInt8>) -> Bool {
    let lines = bytes.split(separator: 0).dropFirst().map { String(decoding: $0, as: UTF8.self) }
    func value(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name + "=") }?.dropFirst(name.utf8.count + 1) }
    guard let action = value("ACTION"), ["add", "remove"].contains(action), let subsystem = value("SUBSYSTEM") else {
      return false
    }
    // Of USB only whole devices: each has interfaces that come and go with it.
    return subsystem == "usb" ? value("DEVTYPE") == "usb_device" : ["hidraw", "spidev"].contains(subsystem)
  }
}
