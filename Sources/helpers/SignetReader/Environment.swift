import Glibc

/// Makes the environment that libfprint and GLib see. Nothing of the caller's is kept, so that no variable of theirs can name a
/// fake reader, a module to load or a driver to leave out.
func prepareEnvironment(_ arguments: ReaderArguments) {
  if arguments.emulation {
    removeVariables(prefix: "FP_")
    setenv("FP_DEVICE_EMULATION", "1", 1)
  } else {
    clearenv()
  }
  // GIO would otherwise load every module it finds, for settings, proxies or certificates. A reader needs none of them.
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  setenv("GIO_USE_VFS", "local", 1)
  setenv("GIO_USE_VOLUME_MONITOR", "unix", 1)
  guard !arguments.virtualReaders.isEmpty else { return }
  for reader in arguments.virtualReaders { setenv(reader.variable, reader.path, 1) }
  // Where a virtual reader is configured, no real one is used.
  setenv("FP_DRIVERS_WHITELIST", arguments.virtualReaders.map(\.kind.driver).joined(separator: ":"), 1)
}

private func removeVariables(prefix: String) {
  var names: [String] = []
  var entry = environ
  while let variable = entry.pointee {
    let text = String(cString: variable)
    if text.hasPrefix(prefix) { names.append(String(text.prefix { $0 != "=" })) }
    entry += 1
  }
  for name in names { unsetenv(name) }
}
