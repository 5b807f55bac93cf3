import SignetConfiguration
import Testing

@Suite struct ConfigurationTests {
  private func whatIsWrong(in text: String) -> String? {
    do throws(Configuration.Problem) {
      _ = try Configuration(parsing: text, path: "/etc/signet/signet.conf")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `an empty file means Touch ID's numbers and no virtual reader`() throws {
    let configuration = try Configuration(parsing: "", path: "")
    #expect(configuration.limits.strikes == 5)
    #expect(configuration.limits.missesPerEvaluation == 3)
    #expect(configuration.limits.poorScansPerEvaluation == 10)
    #expect(configuration.virtualReaders.isEmpty)
    #expect(configuration.readerUser == "signet")
  }

  @Test func `keys, values and comments are read`() throws {
    let configuration = try Configuration(
      parsing: "# fingers\nstrikes = 4 # fewer\n\n  virtual_reader=image:/run/x\nvirtual_reader = device:/run/y\n", path: "")
    #expect(configuration.limits.strikes == 4)
    #expect(configuration.virtualReaders.map(\.kind) == ["image", "device"])
    #expect(configuration.virtualReaders.map(\.path) == ["/run/x", "/run/y"])
  }

  @Test(arguments: [
    "strikes = 0", "strikes = -1", "strikes = many", "strikes = 101", "strikes =", "strikes", "strikse = 5", "= 5",
    "virtual_reader = image", "virtual_reader = camera:/run/x", "virtual_reader = image:run/x",
  ])
  func `an unknown key or a bad value names file and line`(line: String) throws {
    let problem = try #require(whatIsWrong(in: "# first\n\(line)\n"))
    #expect(problem.hasPrefix("/etc/signet/signet.conf:2: "))
  }
}
