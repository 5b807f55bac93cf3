import Foundation
import SignetTestKit
import SignetVocabulary
import SignetWire

/// What a recorded reader's driver makes of the one touch in its recording.
struct CapturedTouch {
  var reader: ReaderDescription
  var template: ClearTemplate
  var minutiae: Int
  var width: Int
  var height: Int
  /// One byte each.
  var pixels: [UInt8]

  /// Whether it shows enough to match anything: libfprint compares from ten minutiae on.
  var canMatch: Bool { minutiae >= 10 }
}

extension Recording {
  /// Replays it to captured-print.
  func touch() throws -> CapturedTouch {
    let channel = try start()
    let reader = try channel.onlyReader()
    channel.closeChannel()
    _ = try channel.waitForExit()
    let folder = try makeTemporaryFolder("touch")
    defer { removeTree(folder) }
    try RawFile.create(folder + "/nobody", nobodysTemplate(for: reader).array)
    let words = try launcher() + [ReaderChannel.program("captured-print"), folder]
    let status = try Program(words, environment: ["PATH=/usr/bin:/bin"]).waitForExit(within: 60_000)
    guard status == 0 else { throw TestKitError("captured-print ended with \(status) on \(name)") }
    let picture = try RawFile.read(folder + "/picture")
    let line = String(decoding: picture.prefix { $0 != 10 }, as: UTF8.self)
    let size = line.split(separator: " ").compactMap { Int($0) }
    let template = try RawFile.read(folder + "/template")
    guard size.count == 3 else { throw TestKitError("captured-print wrote `\(line)`") }
    return CapturedTouch(
      reader: reader, template: try ClearTemplate(template), minutiae: size[2], width: size[0], height: size[1],
      pixels: Array(picture.dropFirst(line.utf8.count + 1)))
  }
}
