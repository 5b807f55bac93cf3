import Glibc

/// Clocks for one program, which are ahead of the machine's, or behind them; those are left alone: a preloaded clock_gettime(2).
public struct FalseClocks {
  private let library: String
  private let file: String

  /// As the machine's at first.
  public init(in folder: String) throws {
    (library, file) = (folder + "/clocks.so", folder + "/clocks")
    try compileSharedObject(#filePath.dropLast("FalseClocks.swift".count) + "clocks.c", to: library)
    try set()
  }

  /// What the program's command begins with.
  public var launcher: [String] { ["env", "LD_PRELOAD=\(library)", "CLOCKS=\(file)"] }

  /// From now on the clocks are so many seconds ahead.
  public func set(wall: Int = 0, boot: Int = 0) throws {
    // In one step: the program reads it at any time.
    unlink(file + ".new")
    try RawFile.create(file + ".new", Array("\(wall) \(boot)\n".utf8))
    guard rename(file + ".new", file) == 0 else { throw TestKitError("\(file): \(errno)") }
  }
}
