import CLinux
import Glibc

/// The copy that was run. The command removes it too; here it goes where the command was interrupted.
enum CopiedFiles {
  static func remove(in folder: String) {
    // Not through a link: what it leads to is not ours.
    let directory = unsafe clinux_open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
    guard directory >= 0, let stream = unsafe fdopendir(directory) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { _ = unsafe unlinkat(directory, name, 0) }
    }
    unsafe closedir(stream)
    _ = unsafe rmdir(folder)
  }
}
