import SignetTestKit
import Testing

@Suite(.enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)))
struct RigTests {
  @Test func `the providers start, and end with who started them`() throws {
    let folder = try makeTemporaryFolder("providers")
    defer { removeTree(folder) }
    let rig = try ProviderRig(only: "django", in: folder)
    #expect(try rig.fact("django", "issuer").hasPrefix("https://localhost:"))
  }
}
