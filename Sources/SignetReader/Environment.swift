import Glibc

/// Makes the environment that libfprint and GLib see: nothing of the caller's, so that no variable can name a fake reader,
/// a module to load or a driver to leave out.
func prepareEnvironment(_ arguments: ReaderArguments) {
  if arguments.emulation {
    removeVariables(prefix: "FP_")
    setenv("FP_DEVICE_EMULATION", "1", 1)
  } else {
    clearenv()
  }
  // GIO would otherwise load every module it finds (settings, proxies, certificates): none serves a reader.
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  setenv("GIO_USE_VFS", "local", 1)
  setenv("GIO_USE_VOLUME_MONITOR", "unix", 1)
  guard !arguments.virtualReaders.isEmpty else { return }
  for reader in arguments.virtualReaders { setenv(reader.variable, reader.path, 1) }
  // With a virtual reader configured no real one is touched.
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
