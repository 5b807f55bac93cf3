import CLinux
import DaemonAudit
import DaemonReaders
import DaemonSealing
import DaemonService
import Glibc
import SignetConfiguration
import SignetMemory
import SignetVocabulary

/// signetd from its command line to its end; what its `main` calls.
///
/// Returns the exit status: 0 after a stop or an idle exit, 1 where it could not start.
public func runSignetd(_ words: [String]) -> Int32 {
  blockStopSignals()
  // No core dump and no tracer that is not root: this process holds passcodes and tokens for moments.
  _ = clinux_prctl(PR_SET_DUMPABLE, 0)
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  forbidCrashReports()
  umask(0o077)
  // One heap for all threads: a heap a thread costs eight system calls and more memory at each connection.
  _ = mallopt(M_ARENA_MAX, 1)
  // As many as are in use at a time when there is a lot to do. signetd's children begin with another program.
  FreePages.keep(upTo: 16)
  do throws(StartFailure) {
    let options = try Options(words)
    if let journal = options.journal { Log.useJournal(at: journal) }
    let configuration = try readConfiguration(options)
    let program = ownPath()
    guard let slash = program.lastIndex(of: "/") else {
      throw StartFailure(description: "cannot find the folder of signetd")
    }
    let services = try Services(
      state: options.stateDirectory, runtime: options.runtimeDirectory, configuration: configuration,
      programs: String(program[..<slash]), tpm: options.tpm ?? TPMTransport.kernels,
      lid: options.lid ?? Lid.folder, fprintd: options.fprintd ?? FprintdPrints.folder,
      auditd: options.auditd ?? AuditTrail.auditd)
    SessionLockWish.write(configuration.locksWithSession, in: options.runtimeDirectory)
    let rate = options.connectionRate ?? Admission.Limits.standard.rate
    let server = Server(services, Handover(path: program, words: words), rate: rate)
    try server.run(socket: options.socket, idleExit: options.idleExit)
    return 0
  } catch {
    Log.write(.error, "cannot start: \(error.description)")
    PassedDescriptors.eraseKeys()
    return 1
  }
}

private func readConfiguration(_ options: Options) throws(StartFailure) -> Configuration {
  do {
    let path = options.configuration ?? ConfigurationFile.defaultPath
    return try ConfigurationFile(path: path, isOptional: options.configuration == nil).configuration
  } catch {
    Log.write(Event.configurationUnusable.entry(of: nil, by: nil))
    let rest = error.lines.count - 1
    throw StartFailure(
      description: (error.lines.first ?? error.path) + (rest > 0 ? " (and \(rest) more: signet check-config)" : ""))
  }
}

/// Where this program is: its helpers are in the same folder, and its successor will be in the same place.
private func ownPath() -> String {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
  return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
