import CLinux
import Glibc

/// The copied files of a stack, in a folder that only their writer can read.
struct PrivateCopy {
  let path: String
  private let names: [String]

  init(of stack: Stack) throws(StackError) {
    var template = Array("/tmp/signet-check-XXXXXX".utf8CString)
    guard unsafe template.withUnsafeMutableBufferPointer({ unsafe mkdtemp($0.baseAddress!) }) != nil else {
      throw .noCopy(cause: clinux_errno())
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    names = stack.files.keys.sorted()
    for name in names {
      do throws(StackError) { try write(stack.files[name] ?? [], to: name) } catch {
        remove()
        throw error
      }
    }
  }

  func remove() {
    for name in names { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }

  private func write(_ text: [UInt8], to name: String) throws(StackError) {
    let file = unsafe clinux_open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .noCopy(cause: clinux_errno()) }
    defer { close(file) }
    var rest = replacingMark(in: text)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .noCopy(cause: clinux_errno()) }
      rest = rest.dropFirst(count)
    }
  }

  /// Puts this folder's name in place of each mark of `StackReader`.
  private func replacingMark(in text: [UInt8]) -> [UInt8] {
    let mark = Array(StackReader.folderMark.utf8)
    var whole: [UInt8] = []
    var rest = text[...]
    while let byte = rest.first {
      if byte == mark[0], rest.starts(with: mark) {
        whole += path.utf8
        rest = rest.dropFirst(mark.count)
      } else {
        whole.append(byte)
        rest = rest.dropFirst()
      }
    }
    return whole
  }
}
