import Foundation
import SignetTestKit
import Testing

/// What programs that were built once rely on.
@Suite(.serialized) struct PromiseTests {
  private let sources = CProgram.source + "../../Sources/applications/libsignet/"
  private var path: String { "PATH=" + String(cString: getenv("PATH")) }

  /// Sources/applications/libsignet/abi/dump.py says what this compares, and what is to be done about a difference.
  @Test func `the library is what programs were built for`() throws {
    let folder = try CProgram.folder.get()
    _ = try Program.output(["python3", "-B", sources + "abi/dump.py", folder + "/now.abi"], environment: [path])
    let difference = try Program.output(["abidiff", sources + "abi/libsignet.abi", folder + "/now.abi"], environment: [path])
    #expect(difference == "")
  }

  @Test func `it exports what the header says, each under its version, and nothing else`() throws {
    let library = try CProgram.folder.get() + "/libsignet.so"
    let names = try Program.output(["nm", "--dynamic", "--defined-only", "--format=just-symbols", library])
    let header = try RawFile.text(sources + "include/signet.h").replacing(/\/\*(?s:.*?)\*\//, with: "")
    let declared = Set(header.matches(of: /(?m)^[a-z][\w *]*\b(signet_\w+)\(/).map { "\($0.output.1)@@SIGNET_0" })
    let exported = Set(names.split(separator: "\n").map(String.init)).subtracting(["SIGNET_0@@SIGNET_0", "SIGNET_0"])
    #expect(exported == declared)
    #expect(declared.count > 30)
  }

  @Test func `it links libc and nothing else, under its own name`() throws {
    let lines = try Program.output(["readelf", "--dynamic", "--wide", try CProgram.folder.get() + "/libsignet.so"])
    #expect(lines.matches(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.output.1) } == ["libc.so.6"])
    #expect(lines.contains("[libsignet.so.0]"))
  }

  @Test(arguments: [["clang", "-std=c99", "-pedantic", "-x", "c"], ["clang++", "-std=c++11", "-x", "c++"]])
  func `the header is plain C, and C++`(compiler: [String]) throws {
    let words =
      compiler + ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-include", sources + "include/signet.h", "/dev/null"]
    _ = try Program.output(words, environment: [path])
  }
}
