import CLinux
import Glibc

/// A page in a file that leads a browser on to an address. The address is for the user's eyes only, and what a browser is opened with,
/// everybody can read in the list of processes: that is the file's name then, and the file is the user's alone.
public struct LeadingPage: Sendable {
  public let path: String

  /// Writes it; `nil` where it cannot be written, or the address is none that a page may have in it as it is.
  public init?(to address: String) {
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !LeadingPage.markup.contains($0) }) else { return nil }
    let folder = (try? RuntimeFolder.own()) ?? "/tmp"
    path = "\(folder)/signet-\(UInt64.random(in: .min ... .max)).html"
    let raw = unsafe clinux_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { return nil }
    let file = Descriptor(raw)
    let text = Array(LeadingPage.text(address).utf8)
    guard unsafe write(file.raw, text, text.count) == text.count else {
      remove()
      return nil
    }
  }

  /// Takes it away, once the browser has read it or is not waited for any more.
  public func remove() { _ = unsafe unlink(path) }

  private static let markup = Array("\"&'<>".utf8)

  private static func text(_ address: String) -> String {
    """
    <!doctype html><meta charset="utf-8"><title>Signet</title><meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">\(address)</a>

    """
  }
}
