import SignetLanguage

extension ConfigurationFile {
  /// A value that is in force.
  public struct Setting: Equatable, Sendable {
    public var key: String
    /// The PAM service whose section sets it; `nil` for a global value.
    public var service: String?
    /// As it would stand in the file; empty where nothing is set.
    public var value: String
    /// What it means.
    public var words: String
    /// The line that sets it, from 1; `nil` for a default.
    public var line: Int?
    /// The path of the file in which that line is.
    public var file: String?

    init(key: String, service: String? = nil, value: String, words: String, _ origin: KeyLocations.Origin? = nil) {
      (self.key, self.service, self.value, self.words) = (key, service, value, words)
      (line, file) = (origin?.line, origin?.file)
    }
  }

  /// Every key's global value, in the order of signet.conf(5).
  public var settings: [Setting] {
    Key.all.flatMap { key in
      let lines = locations.lines[KeyLocations.Location(key: key.name)] ?? []
      let values = key.values(configuration)
      if values.isEmpty { return [Setting(key: key.name, value: "", words: say("none"))] }
      return values.enumerated().map { index, value in
        Setting(key: key.name, value: value.text, words: value.words, lines.indices.contains(index) ? lines[index] : nil)
      }
    }
  }

  /// What each service's section sets, in the order of the files.
  public var sections: [(service: String, settings: [Setting])] {
    locations.services.map { service in
      let content = configuration.services[service] ?? Configuration.ServiceSettings()
      let settings = Key.all.compactMap { key -> Setting? in
        guard let value = key.valueForService?(content) else { return nil }
        let origin = locations.lines[KeyLocations.Location(key: key.name, service: service)]?.first
        return Setting(key: key.name, service: service, value: value.text, words: value.words, origin)
      }
      return (service, settings)
    }
  }
}
