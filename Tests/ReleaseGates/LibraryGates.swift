import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// What the release build of libsignet, and of the PKCS#11 module, must be: any program may load them.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct LibraryGates {
  private let library = release + "/libsignet0.so"
  private static let all = ["libsignet0.so", "libsignet-pkcs11.so"].map { release + "/" + $0 }

  @Test func `the module exports its one function`() throws {
    let exports = try run("nm", "--dynamic", "--defined-only", "--format=just-symbols", Self.all[1])
    #expect(exports == ["C_GetFunctionList"])
  }

  /// It is in browsers, too: nothing of p11-kit or of Swift's runtime comes with it.
  @Test func `the module needs libc and libsodium alone`() throws {
    let needed = try run("readelf", "--dynamic", "--wide", Self.all[1]).filter { $0.contains("(NEEDED)") }
    #expect(needed.count == 2 && needed.contains { $0.contains("libc.so.6") } && needed.contains { $0.contains("libsodium.so") })
  }

  /// Its one kind of signal handler is there while a terminal shows its prompt: CTerminal.
  @Test(arguments: all) func `it starts no thread, leaves no handler and ends no process`(library: String) throws {
    let imports = try run("nm", "--dynamic", "--undefined-only", "--format=just-symbols", library).map { name in
      String(name.prefix { $0 != "@" })
    }
    let forbidden = [
      "pthread_create", "clone", "fork", "vfork", "signal", "atexit", "dlopen", "system", "abort", "exit",
    ]
    #expect(Set(imports).isDisjoint(with: forbidden))
    #expect(imports.contains("connect"))
  }

  @Test(arguments: all) func `its stack is not executable, and its tables are read-only`(library: String) throws {
    let headers = try run("readelf", "--program-headers", "--wide", library)
    #expect(headers.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
    #expect(headers.contains { $0.contains("GNU_RELRO") })
    #expect(try run("readelf", "--dynamic", "--wide", library).contains { $0.contains("NOW") })
  }

  @Test(arguments: all) func `stripped, it has at most 256 KiB`(library: String) throws {
    #expect(try strippedSize(of: library) <= 256 * 1024)
  }

  /// The quickest of many: neither a page cache that is cold at first nor other work of the machine is the library's. Where this
  /// process's other tests map memory all the time, it may take a while until none does.
  @Test func `to load it takes at most 100 microseconds`() throws {
    var quickest = Double.infinity
    var tries = 0
    while tries < 100 || quickest > 100 && tries < 20_000 {
      tries += 1
      let start = DispatchTime.now().uptimeNanoseconds
      let handle = try #require(dlopen(library, RTLD_NOW | RTLD_LOCAL))
      quickest = min(quickest, Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000)
      dlclose(handle)
    }
    #expect(quickest <= 100)
  }
}

/// What programs in Swift are built with where their packages do not name this one.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct PrebuiltGates {
  private static let modules = ["SignetCoreFoundation", "Security", "LocalAuthentication"]
  private static let files =
    ["libsignet-swift.a"] + modules.flatMap { ["\($0).swiftmodule", "\($0).swiftdoc"] }
  private static let folder = URL(fileURLWithPath: release).deletingLastPathComponent().appending(path: "swift")

  @Test(arguments: files) func `no file tells in which folder it was built`(name: String) throws {
    let file = try Data(contentsOf: Self.folder.appending(path: name), options: .alwaysMapped)
    let checkout = Self.folder.deletingLastPathComponent().deletingLastPathComponent().path
    #expect(checkout.count > 1 && file.range(of: Data(checkout.utf8)) == nil)
  }

  /// A program may have modules of the same names, and functions in C.
  @Test func `no name of another module is in the program's way`() throws {
    let archive = Self.folder.appending(path: Self.files[0]).path
    let names = try run("nm", "--defined-only", "--extern-only", "--format=just-symbols", archive).filter { !$0.hasSuffix(":") }
    #expect(names.contains { $0.contains("SecItemCopyMatching") })
    let foreign = names.filter { name in
      !name.hasPrefix("$s") || ["SignetMemory", "SignetWire", "SignetClient"].contains { name.hasPrefix("$s\($0.count)\($0)") }
    }
    #expect(foreign.isEmpty, "\(foreign)")
  }

  @Test func `all files together have at most 3 MB and a half`() throws {
    let sizes = try Self.files.map { try Data(contentsOf: Self.folder.appending(path: $0), options: .alwaysMapped).count }
    #expect(sizes.reduce(0, +) <= 3_500_000, "\(sizes)")
  }
}
