import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// What the release build of the module must be: it is loaded into sudo and login.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct ModuleGates {
  private static let all = ["libpam_signet.so", "libpam_fprintd.so"].map { release + "/" + $0 }

  @Test(arguments: all) func `it exports its entry points and nothing else`(module: String) throws {
    let names = try run("nm", "--dynamic", "--defined-only", "--format=just-symbols", module)
    #expect(
      names == [
        "pam_sm_acct_mgmt", "pam_sm_authenticate", "pam_sm_chauthtok", "pam_sm_close_session", "pam_sm_open_session",
        "pam_sm_setcred",
      ])
  }

  @Test(arguments: all) func `it links libc and libpam and nothing else`(module: String) throws {
    let needed = try run("readelf", "--dynamic", "--wide", module).filter { $0.contains("(NEEDED)") }
    let names = needed.compactMap { line in line.split(separator: "[").last?.dropLast() }
    #expect(Set(names) == ["libc.so.6", "libpam.so.0"])
  }

  @Test(arguments: all) func `it searches for libraries where the system does`(module: String) throws {
    #expect(!(try run("readelf", "--dynamic", "--wide", module)).contains { $0.contains("RUNPATH") || $0.contains("RPATH") })
  }

  /// The manifest hardens what C there is only where the Makefile asks for it.
  @Test func `its C code guards its returns`() throws {
    let object = release + "/CLinux.build/CLinux.c.o"
    #expect(try run("nm", "--undefined-only", "--format=just-symbols", object).contains("__stack_chk_fail"))
    #if arch(x86_64)
      #expect(try run("readelf", "--notes", "--wide", object).contains { $0.contains("IBT, SHSTK") })
    #endif
  }

  /// A trap kills sudo or login. The one that is known is in a function that nothing calls: there are no exceptions.
  @Test(arguments: all) func `no input can reach a trap`(module: String) throws {
    var function = ""
    var traps: [String] = []
    for line in try run("objdump", "--disassemble", "--no-show-raw-insn", module) {
      if line.hasSuffix(">:"), let start = line.firstIndex(of: "<") { function = String(line[start...].dropFirst().dropLast(2)) }
      if line.hasSuffix("ud2") { traps.append(function) }
    }
    #expect(traps == ["_swift_exceptionPersonality"])
    #expect(function != "", "objdump printed no function")
  }

  @Test(arguments: all) func `it calls no allocator of its own`(module: String) throws {
    let imports = Set(try run("nm", "--dynamic", "--undefined-only", "--format=just-symbols", module).map(base))
    // libpam's answers are the caller's to free.
    let allocators = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "strdup"]
    #expect(imports.isDisjoint(with: allocators))
    #expect(imports.contains("pam_set_data"))
  }

  @Test(arguments: all) func `it starts no thread, installs no handler, reads no environment`(module: String) throws {
    let imports = Set(try run("nm", "--dynamic", "--undefined-only", "--format=just-symbols", module).map(base))
    // The one child, which asks by the host's conversation, is made by syscall(2): `fork` would run the host's own handlers in it.
    let forbidden = [
      "pthread_create", "clone", "fork", "vfork", "posix_spawn", "sigaction", "signal", "getenv", "secure_getenv", "setenv",
      "putenv", "environ", "atexit", "dlopen", "system", "abort", "exit",
    ]
    #expect(imports.isDisjoint(with: forbidden))
  }

  @Test(arguments: all) func `its stack is not executable and its tables are read-only`(module: String) throws {
    let headers = try run("readelf", "--program-headers", "--wide", module)
    #expect(headers.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
    #expect(headers.contains { $0.contains("GNU_RELRO") })
    #expect(try run("readelf", "--dynamic", "--wide", module).contains { $0.contains("NOW") && $0.contains("NODELETE") })
  }

  @Test(arguments: all) func `it has no global state to carry from one call to another`(module: String) throws {
    // Sections that are written to after loading: those of the C runtime's start files only.
    let sizes = try run("size", "--format=sysv", module).map { $0.split(separator: " ") }
    let written = sizes.filter { $0.count == 3 && [".data", ".bss", ".tdata", ".tbss"].contains($0[0]) }
    #expect(written.allSatisfy { (Int($0[1]) ?? .max) <= 8 }, "\(written)")
    #expect(sizes.count > 5)
  }

  @Test(arguments: all) func `stripped, it has at most 84 KiB`(module: String) throws {
    #expect(try strippedSize(of: module) <= 84 * 1024)
  }

  /// "name@GLIBC_2.4" without its version.
  private func base(_ symbol: String) -> String { String(symbol.prefix { $0 != "@" }) }
}
