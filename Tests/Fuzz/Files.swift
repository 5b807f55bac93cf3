import Glibc

/// A new folder below TMPDIR, which whoever runs this program removes.
func makeScratchFolder() -> String {
  let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  let template = strdup("\(base)/signet-fuzz-XXXXXX")!
  defer { free(template) }
  guard mkdtemp(template) != nil else { fail("no folder can be made in \(base)") }
  return String(cString: template)
}

func readFile(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { fail("\(path) cannot be read") }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return bytes
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { fail("\(path) cannot be written") }
  close(file)
}
