/// The ten fingers, with libfprint's numbers (`FpFinger`) and the names that fprintd made usual.
public enum Finger: UInt8, CaseIterable, Sendable, Comparable {
  case leftThumb = 1
  case leftIndexFinger, leftMiddleFinger, leftRingFinger, leftLittleFinger
  case rightThumb, rightIndexFinger, rightMiddleFinger, rightRingFinger, rightLittleFinger

  private static let names: [String] = [
    "left-thumb", "left-index-finger", "left-middle-finger", "left-ring-finger", "left-little-finger",
    "right-thumb", "right-index-finger", "right-middle-finger", "right-ring-finger", "right-little-finger",
  ]

  /// For the command line, JSON and file names: `right-index-finger`.
  public var name: String { Finger.names[Int(rawValue) - 1] }

  /// The finger of this name.
  public init?(name: String) {
    guard let index = Finger.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(index + 1))
  }

  public static func < (left: Finger, right: Finger) -> Bool { left.rawValue < right.rawValue }
}
