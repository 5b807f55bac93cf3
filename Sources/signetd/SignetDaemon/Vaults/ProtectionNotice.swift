import DaemonService
import SignetFiles
import SignetVocabulary

/// Says once a boot, in the log, what keeps the keys of vaults from others, where the kernel could keep them better.
package enum ProtectionNotice {
  private static let name = "keys-notice"

  /// `folder` does not outlive this start of the machine: a file there says that it was said.
  package static func write(_ protection: KeyProtection, in folder: String) {
    guard protection == .locked else { return }
    let words = """
      keys of open vaults are in locked memory only, and lost when signetd crashes: the kernel has memfd_secret switched off \
      (secretmem.enable=1 on its command line)
      """
    do throws(SystemError) {
      let folder = try StateDirectory(path: folder, create: true)
      let said = [protection.rawValue]
      if try folder.read(name, limit: 1) == said { return }
      Log.write(.notice, words)
      try folder.replace(name, with: said, .volatile)
    } catch { Log.write(.error, error.description) }
  }
}
