import CLibc
import CLinux

/// The copy that was run. The command removes it as well, but not where it was interrupted; then this program does.
enum CopiedFiles {
  static func remove(in folder: String) {
    // O_NOFOLLOW: what a symbolic link leads to is not ours to remove.
    let directory = unsafe clinux_open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
    guard directory >= 0, let stream = unsafe fdopendir(directory) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.isSame(as: "."), !name.isSame(as: "..") { _ = unsafe unlinkat(directory, name, 0) }
    }
    _ = unsafe closedir(stream)
    _ = unsafe rmdir(folder)
  }
}
