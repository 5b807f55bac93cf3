import Foundation
import SignetTestKit
import SignetVocabulary
import SignetWire

/// What a recorded reader's driver makes of the one touch in its recording.
struct CapturedTouch {
  var reader: ReaderDescription
  var template: ClearTemplate
  var minutiae: Int

  /// Whether it shows enough to match anything: libfprint compares from ten minutiae on.
  var canMatch: Bool { minutiae >= 10 }
}

extension Recording {
  /// Replays it to captured-print, which compares the touch.
  func touch() throws -> CapturedTouch {
    let channel = try start()
    let reader = try channel.onlyReader()
    channel.closeChannel()
    _ = try channel.waitForExit()
    let folder = try makeTemporaryFolder("touch")
    defer { removeTree(folder) }
    try RawFile.create(folder + "/nobody", nobodysTemplate(for: reader).array)
    try capture("touch", to: folder)
    guard let minutiae = Int(try RawFile.text(folder + "/minutiae")) else { throw TestKitError("no number of minutiae") }
    return CapturedTouch(
      reader: reader, template: try ClearTemplate(RawFile.read(folder + "/template")), minutiae: minutiae)
  }

  /// The picture as the driver delivers it.
  func picture() throws -> PrintImage {
    let folder = try makeTemporaryFolder("picture")
    defer { removeTree(folder) }
    try capture("picture", to: folder)
    let picture = try RawFile.read(folder + "/picture")
    let line = String(decoding: picture.prefix { $0 != 10 }, as: UTF8.self)
    let size = line.split(separator: " ").compactMap { Int($0) }
    guard size.count == 2 else { throw TestKitError("captured-print wrote `\(line)`") }
    return PrintImage(width: size[0], height: size[1], pixels: Array(picture.dropFirst(line.utf8.count + 1)))
  }

  private func capture(_ what: String, to folder: String) throws {
    let words = try launcher() + [ReaderChannel.program("captured-print"), what, folder]
    let status = try Program(words, environment: ["PATH=/usr/bin:/bin"]).waitForExit()
    guard status == 0 else { throw TestKitError("captured-print ended with \(status) on \(name)") }
  }
}
