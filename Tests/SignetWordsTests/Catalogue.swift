import Foundation

/// The catalogues' sources, as people translate them.
struct Catalogue {
  struct Entry {
    let sentence: String
    let plural: String?
    let translations: [String]
    var forms: [String] { [sentence] + (plural.map { [$0] } ?? []) }
  }

  static let folder = #filePath.split(separator: "/Tests/")[0] + "/Sources/ground/SignetWords/po/"
  static let languages =
    (try? String(contentsOfFile: folder + "LINGUAS", encoding: .utf8).split(whereSeparator: \.isWhitespace))?
    .map(String.init) ?? []

  let entries: [Entry]
  let header: String

  /// `name` is a file's in the folder.
  init(_ name: String) throws {
    let text = try String(contentsOfFile: Catalogue.folder + name, encoding: .utf8)
    let all = text.components(separatedBy: "\n\n").map(Catalogue.entry)
    header = all[0].translations.joined()
    entries = Array(all.dropFirst())
  }

  /// One paragraph: lines of a keyword and a string, or of a string that goes on.
  private static func entry(_ paragraph: String) -> Entry {
    var (fields, order): ([String: String], [String]) = ([:], [])
    for line in paragraph.split(separator: "\n") where !line.hasPrefix("#") {
      guard let quote = line.firstIndex(of: "\"") else { continue }
      let keyword = line[..<quote].trimmingCharacters(in: .whitespaces)
      if !keyword.isEmpty { order.append(keyword) }
      fields[order.last ?? "", default: ""] += line[quote...].dropFirst().dropLast()
        .replacing(/\\(.)/) { $0.1 == "n" ? "\n" : "\($0.1)" }
    }
    return Entry(
      sentence: fields["msgid"] ?? "", plural: fields["msgid_plural"],
      translations: order.filter { $0.hasPrefix("msgstr") }.compactMap { fields[$0] })
  }
}
