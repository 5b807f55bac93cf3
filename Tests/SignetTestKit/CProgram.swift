import Glibc

/// libsignet as it was built, with the names under which programs find it, and C programs that are linked with it.
public enum CProgram {
  /// A folder with the library, its header and the programs, once a run.
  public static let folder = Result<String, any Error> {
    let folder = try makeTemporaryFolder("library")
    place = folder
    atexit { removeTree(CProgram.place) }
    let library = try ReaderChannel.program("libsignet0.so")
    // As it is installed. Debian's valgrind cannot read what debuggers are told of it.
    let strip = try Program(["/usr/bin/strip", "-o", "\(folder)/libsignet.so.0", library])
    guard try strip.waitForExit() == 0 else { throw TestKitError("\(library) cannot be stripped") }
    symlink("libsignet.so.0", "\(folder)/libsignet.so")
    for name in ["client", "crowd", "threads"] {
      try compile(["clang", "-std=c11", "-D_GNU_SOURCE", source + name + ".c"], to: "\(folder)/\(name)", in: folder)
    }
    return folder
  }

  nonisolated(unsafe) private static var place = ""
  public static let source = String(#filePath.dropLast("CProgram.swift".count)) + "../../Tests/libsignetTests/"
  public static let include = source + "../../Sources/applications/libsignet/include"

  /// Compiles and links with the library.
  public static func compile(_ words: [String], to program: String, in folder: String) throws {
    let all = words + ["-Wall", "-Wextra", "-Werror", "-g", "-I\(include)", "-o", program, "-L\(folder)", "-lsignet", "-pthread"]
    let compiler = try Program(all, environment: ["PATH=" + String(cString: getenv("PATH"))], descriptors: [2: 2])
    guard try compiler.waitForExit() == 0 else { throw TestKitError("\(words) fails") }
  }

  public static func environment(_ socket: String) throws -> [String] {
    ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(socket)", "LD_LIBRARY_PATH=\(try folder.get())"]
  }

  /// Runs the client to its end: the lines that it prints.
  ///
  /// - Parameter whenever: what is done, in order, each time such a text is printed.
  public static func client(
    _ words: [String], at socket: String, environment more: [String] = [], launcher: [String] = [],
    whenever: [(String, () throws -> Void)] = []
  ) throws -> [String] {
    let lines = try Lines()
    let program = try Program(
      launcher + [try folder.get() + "/client"] + words, environment: try environment(socket) + more,
      descriptors: [1: lines.writer, 2: 2])
    for (text, act) in whenever {
      try lines.read(until: text, times: 1 + lines.text.ranges(of: text).count)
      try act()
    }
    lines.readToEnd()
    guard try program.waitForExit() == 0 else { throw TestKitError("\(words): \(lines.text)") }
    return lines.text.split(separator: "\n").map(String.init)
  }
}

/// Compiles one C file to what a program loads; `words`: what the compiler is told besides.
public func compileSharedObject(_ source: some StringProtocol, to library: String, _ words: String...) throws {
  let all = ["clang", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", library, String(source)] + words
  let compiler = try Program(all, environment: ["PATH=" + String(cString: getenv("PATH"))], descriptors: [2: 2])
  guard try compiler.waitForExit() == 0 else { throw TestKitError("clang cannot compile \(source)") }
}
