import Glibc

/// Makes a program of a script's text. Another process writes the file: what this process has open for writing, a child that some
/// other test is just starting has too until its exec, and nobody can execute it meanwhile (execve(2), `ETXTBSY`).
public func writeScript(_ text: String, to path: String) throws {
  let source = path + ".text"
  try RawFile.create(source, Array(text.utf8))
  defer { unlink(source) }
  guard try Program(["/usr/bin/install", "-m", "755", source, path]).waitForExit() == 0 else {
    throw TestKitError("\(path) cannot be written")
  }
}
