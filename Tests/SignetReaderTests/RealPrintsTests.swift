import Glibc
import SignetTestKit
import Testing

/// Real fingerprints through libfprint's virtual image reader, a cross-check on the drawn ones.
@Suite(.enabled(if: RealPrints.folder != nil, "SIGNET_PRINTS names no folder of pictures (make test PRINTS=FOLDER)"))
struct RealPrintsTests {
  // Not tented_arch against loop-right: libfprint's threshold lets some of the examples match one another.
  @Test func `a real whorl matches itself and no other print`() throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    let whorl = try RealPrints.image("whorl")
    try channel.open(reader)
    let template = try channel.enroll(five: { _ in whorl }, on: reader)
    try channel.load([template])
    #expect(try channel.identify(whorl, on: reader, operation: 10) == .match(operation: 10, index: 0))
    for name in ["loop-right", "tented_arch"] {
      let verdict = try channel.identify(RealPrints.image(name), on: reader, operation: 11)
      #expect(verdict == .miss(operation: 11), "\(name)")
    }
    let drawn = SyntheticFinger(seed: 1).impression(0)
    #expect(try channel.identify(drawn, on: reader, operation: 12) == .miss(operation: 12))
  }

  @Test(arguments: ["whorl", "loop-right", "tented_arch"])
  func `of a real print, the tip of the finger alone is a poor scan`(name: String) throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    let print = try RealPrints.image(name)
    try channel.open(reader)
    try channel.load([channel.enroll(five: { _ in print }, on: reader)])
    guard case .poorScan(10, _) = try channel.identify(print.tip, on: reader, operation: 10) else {
      Issue.record("\(name): not a poor scan")
      return
    }
    #expect(try channel.identify(print, on: reader, operation: 11) == .match(operation: 11, index: 0))
  }
}

enum RealPrints {
  static let folder: String? = {
    guard let name = getenv("SIGNET_PRINTS").map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return name
  }()

  static func image(_ name: String) throws -> PrintImage { try grayPNG(at: "\(folder ?? "")/\(name).png") }
}

extension PrintImage {
  /// The same with all but a small piece in its middle left white.
  fileprivate var tip: PrintImage {
    var copy = self
    for row in 0..<height {
      for column in 0..<width where abs(row - height / 2) > 16 || abs(column - width / 2) > 16 {
        copy.pixels[row * width + column] = 255
      }
    }
    return copy
  }
}
