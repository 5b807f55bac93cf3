import SignetLanguage

/// Takes the lines of one file after the other, and collects what they set and what is wrong with them. What a later file sets holds.
struct Parser {
  private enum Section: Equatable {
    case global
    case service(String)
    /// Below a section line that is wrong. The lines there are not looked at: the error of the section line is enough.
    case unknown
  }

  /// The most errors that are reported. More would help nobody, and a file full of errors must not use up the memory.
  private static let limit = 100

  private(set) var configuration = Configuration()
  private(set) var locations = ConfigurationFile.KeyLocations()
  private(set) var problems: [InvalidConfiguration.Problem] = []
  private var file = ""
  private var section = Section.global
  private var sectionLines: [String: Int] = [:]
  private var number = 0
  /// What this file has set.
  private var own: Set<ConfigurationFile.KeyLocations.Location> = []

  mutating func begin(file path: String) {
    (file, section, sectionLines, number, own) = (path, .global, [:], 0, [])
  }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    number += 1
    guard problems.count < Parser.limit else { return }
    do throws(Line.Malformed) {
      switch try Line(bytes) {
      case .nothing: return
      case .service(let name): try begin(name)
      case .setting(let key, let value): try set(key, value)
      }
    } catch {
      if error.isOfSection { section = .unknown }
      problems.append(InvalidConfiguration.Problem(file: file, line: number, message: error.message))
    }
  }

  private mutating func begin(_ service: String) throws(Line.Malformed) {
    if let line = sectionLines[service] {
      throw Line.Malformed(message: say("section `[service \(service)]` is there already, at line \(line)"), isOfSection: true)
    }
    section = .service(service)
    sectionLines[service] = number
    guard configuration.services[service] == nil else { return }
    locations.services.append(service)
    configuration.services[service] = Configuration.ServiceSettings()
  }

  private mutating func set(_ name: String, _ text: String) throws(Line.Malformed) {
    guard section != .unknown else { return }
    guard let key = Key.named(name) else { throw Line.Malformed(message: Key.unknown(name)) }
    switch section {
    case .global, .unknown:
      try remember(key, service: nil)
      guard key.read(text, &configuration) else { throw Line.Malformed(key, text) }
    case .service(let service):
      guard let read = key.readForService else { throw Line.Malformed(misplaced: key) }
      try remember(key, service: service)
      guard read(text, &configuration.services[service, default: Configuration.ServiceSettings()]) else {
        throw Line.Malformed(key, text)
      }
    }
  }

  private mutating func remember(_ key: Key, service: String?) throws(Line.Malformed) {
    let location = ConfigurationFile.KeyLocations.Location(key: key.name, service: service)
    let origin = ConfigurationFile.KeyLocations.Origin(file: file, line: number)
    if own.insert(location).inserted {
      locations.lines[location] = [origin]
      return key.forget(&configuration)
    }
    if !key.repeats, let first = locations.lines[location]?.first {
      throw Line.Malformed(message: say("`\(key.name)` is set already, at line \(first.line)"))
    }
    locations.lines[location]?.append(origin)
  }
}

extension Line.Malformed {
  fileprivate init(_ key: Key, _ found: String) {
    self.init(message: say("`\(key.name)`: expected \(key.allowed), found \(Shown.text(found))"))
  }

  fileprivate init(misplaced key: Key) {
    let allowed = Key.all.filter(\.isForServices).map { "`\($0.name)`" }.joined(separator: say(" and "))
    self.init(
      message: say("`\(key.name)` holds for all services: set it above the first section; a section has \(allowed) only"))
  }
}
