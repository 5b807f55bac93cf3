import Glibc
import SignetLanguage

/// Reads a service and the files it includes as libpam does, and makes the copy while it reads.
///
/// Lines that libpam would refuse are copied as they are, so that in a run it is libpam itself that refuses them.
struct StackReader {
  private let folder: String
  private let vendorFolder: String?
  private var stack = Stack(place: FileLocation(file: "", line: 1, text: ""))
  /// The files that are being read: the service's, the file it includes, and so on.
  private var path: [String] = []
  private var lineCount = 0
  private var fileCount = 0
  private var substackCount = 0

  /// Copied files name each other by full path. Their folder is not known yet, so this mark stands in its place.
  static let folderMark = "@FOLDER@"
  /// What stands in the copy for a module, with its entry's number behind it.
  static let standIn = "/signet-stand-in/"
  private static let mostEntries = 256
  private static let mostLines = 4096
  private static let deepest = 32

  init(folder: String, vendorFolder: String? = nil) {
    self.folder = folder
    self.vendorFolder = vendorFolder
  }

  func stack(of service: String) throws(StackError) -> Stack {
    var reader = self
    let file = place(of: service)
    reader.stack.place = FileLocation(file: file, line: 1, text: "")
    do throws(StackError) { try reader.copy(file, as: "service", of: nil, in: []) } catch .unreadable(file, ENOENT) {
      throw .noService(file)
    }
    // libpam takes the default service's auth stack where a service has none of its own.
    let hasOwn = !reader.stack.entries.isEmpty || reader.stack.faults.contains { $0.kind == .malformed }
    reader.stack.hasOwnAuth = hasOwn
    let own = reader.stack
    do throws(StackError) { try reader.copy(place(of: "other"), as: "other", of: nil, in: []) } catch .unreadable(_, _) {}
    guard hasOwn else { return reader.stack }
    // Even then libpam reads the default service, and a line there that it cannot read spoils its whole configuration.
    var whole = own
    whole.faults = reader.stack.faults
    whole.files = reader.stack.files
    return whole
  }

  private func place(of service: String) -> String {
    let own = "\(folder)/\(service)"
    guard let vendorFolder, unsafe access(own, R_OK) != 0 else { return own }
    let other = "\(vendorFolder)/\(service)"
    return unsafe access(other, R_OK) == 0 ? other : own
  }

  /// Reads a file, and keeps its copy under `name`.
  private mutating func copy(_ file: String, as name: String, of type: LineType?, in substacks: [Int]) throws(StackError) {
    let lines = ConfigurationLine.lines(of: try ServiceFolder.read(file))
    path.append(file)
    defer { path.removeLast() }
    var text: [UInt8] = []
    for line in lines {
      lineCount += 1
      guard lineCount <= StackReader.mostLines else {
        throw .tooLarge(file: path[0], what: say("more than \(StackReader.mostLines) lines"))
      }
      text += try copy(line, of: type, in: substacks)
    }
    stack.files[name] = text
  }

  /// The copy of one line; empty where the line is not about authentication.
  private mutating func copy(_ line: ConfigurationLine, of type: LineType?, in substacks: [Int]) throws(StackError) -> [UInt8] {
    let place = FileLocation(file: path.last ?? "", line: line.number, text: line.text)
    if let why = line.explanation { stack.faults.append(.malformed(place, why)) }
    if line.bytes.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) {
      stack.faults.append(
        .malformed(
          place, say("It has a control character, such as the carriage return of another system: to libpam it is part of a word.")
        ))
    }
    if line.defect == .endsInContinuation { return Array("auth \\".utf8) }
    var words = LineWords(line)
    guard let first = words.next() else { return [] }
    let isSilent = first.bytes.first == UInt8(ascii: "-")
    let word = isSilent ? first.bytes.dropFirst() : first.bytes[...]
    if String(decoding: word, as: UTF8.self).lowercased() == "@include" {
      if type == nil, let name = words.peek()?.text { stack.fragments.insert(name) }
      let include = Include(line: line, place: place, words: first.source, type: type, substacks: substacks)
      return try copy(include, of: words.next())
    }
    guard let found = LineType(word) else { return try mistyped(line, place, words, of: type, in: substacks) }
    if let type, type != found { return [] }
    return try copy(line, place, words, Array((isSilent ? "-" : "").utf8), of: found, in: substacks)
  }

  /// libpam takes a line without a type for one of the type that it is looking for. In the service's own file that is auth.
  private mutating func mistyped(
    _ line: ConfigurationLine, _ place: FileLocation, _ words: LineWords, of type: LineType?, in substacks: [Int]
  ) throws(StackError) -> [UInt8] {
    guard type ?? .auth == .auth else { return [] }
    stack.faults.append(.malformed(place, say("It begins with no type: libpam makes it a failure.")))
    // libpam reads what such a line includes.
    guard ["include", "substack"].contains(words.peek()?.text.lowercased()) else { return line.bytes + [UInt8(ascii: "\n")] }
    return try copy(line, place, words, [], of: .auth, in: substacks)
  }

  private mutating func copy(
    _ line: ConfigurationLine, _ place: FileLocation, _ words: LineWords, _ prefix: [UInt8], of type: LineType,
    in substacks: [Int]
  ) throws(StackError) -> [UInt8] {
    var words = words
    let start = prefix + Array("\(type.rawValue) ".utf8)
    let field = words.next()
    let target = words.next()
    let keyword = field?.text.lowercased()
    if let field, keyword == "include" || keyword == "substack" {
      var substacks = substacks
      if keyword == "substack" {
        substackCount += 1
        substacks.append(substackCount)
      }
      return try copy(
        Include(line: line, place: place, words: start + field.source, type: type, substacks: substacks), of: target)
    }
    if type == .session {
      stack.hasSession = true
      if target?.text.split(separator: "/").last == "pam_signet.so" { stack.hasSignetSession = true }
    }
    if type == .password, let field, let target {
      stack.password.add(KnownModule.find(target.bytes, arguments: []).kind, Control(field.bytes))
    }
    if type == .account {
      stack.hasAccount = true
      if target?.text.split(separator: "/").last == "pam_faillock.so" { stack.clearing = place }
    }
    guard type == .auth else { return [] }
    guard let field, let target else {
      stack.faults.append(
        .malformed(
          place,
          field == nil
            ? say("It has no control: libpam makes it a failure.") : say("It has no module: libpam makes it a failure.")))
      return line.bytes + [UInt8(ascii: "\n")]
    }
    guard stack.entries.count < StackReader.mostEntries else {
      throw .tooLarge(file: path[0], what: say("more than \(StackReader.mostEntries) lines that call a module"))
    }
    let number = add(field.bytes, target.bytes, words.remaining().map(\.text), place, in: substacks)
    return start + field.source + Array(" \(StackReader.standIn)\(number) \(number)\n".utf8)
  }

  private mutating func add(
    _ field: [UInt8], _ module: [UInt8], _ arguments: [String], _ place: FileLocation, in substacks: [Int]
  ) -> Int {
    let entry = Entry(
      number: stack.entries.count, place: place, control: Control(field),
      module: KnownModule.find(module, arguments: arguments), arguments: arguments, substacks: substacks)
    if !entry.control.isReadable {
      stack.faults.append(.malformed(place, say("libpam cannot read its control, and takes every answer for a failure.")))
    }
    stack.entries.append(entry)
    return entry.number
  }

  private struct Include {
    var line: ConfigurationLine
    var place: FileLocation
    /// What the copied line has in front of the file's name.
    var words: [UInt8]
    var type: LineType?
    var substacks: [Int]
  }

  private mutating func copy(_ include: Include, of target: LineWords.Word?) throws(StackError) -> [UInt8] {
    let isAuth = include.type ?? .auth == .auth
    guard let target else {
      // This holds for lines of every type, because libpam reads all lines before it runs the first one.
      stack.faults.append(
        .malformed(include.place, say("It names no file: Debian's libpam crashes on it, and the login with it.")))
      return include.line.bytes + [UInt8(ascii: "\n")]
    }
    let file = target.bytes.first == UInt8(ascii: "/") ? target.text : "\(folder)/\(target.text)"
    var name = "absent"
    if path.contains(file) {
      stack.faults.append(.includeLoop(include.place, back: file))
    } else if path.count >= StackReader.deepest {
      throw .tooLarge(file: path[0], what: say("more than \(StackReader.deepest) levels of includes"))
    } else {
      do throws(StackError) {
        let number = "\(fileCount)"
        fileCount += 1
        try copy(file, as: number, of: include.type, in: include.substacks)
        name = number
      } catch .unreadable(file, let cause) {
        if isAuth { stack.faults.append(.missingInclude(include.place, file: file, cause)) }
      }
    }
    guard isAuth else { return [] }
    return include.words + Array(" \(StackReader.folderMark)/\(name)\n".utf8)
  }
}
