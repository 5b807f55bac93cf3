// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatWarning("StrictMemorySafety", as: .error),
  .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
]

// What a program that imports these sees of other modules is said where they are imported: libsignet-swift-dev has no others.
let shown = strict + [.enableUpcomingFeature("InternalImportsByDefault")]

// For what waits for people and for signetd: it is no faster for being larger.
let sized: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// Strict memory safety turns GLib's C API into noise, so the reader's own code does without (and runs in its own process).
let glib: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableExperimentalFeature("Lifetimes")]

// Tests and their kit call C freely: strict memory safety guards what is installed.
let tests: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableExperimentalFeature("Lifetimes")]

// Sources as others wrote them: a subclass of LAContext is told to say once more that threads may share it.
let asWritten: [SwiftSetting] = [.unsafeFlags(["-suppress-warnings"])]

// What guards returns and jumps has another name on each processor.
#if arch(x86_64)
  let controlFlow = ["-fcf-protection"]
#elseif arch(arm64)
  let controlFlow = ["-mbranch-protection=standard"]
#else
  let controlFlow: [String] = []
#endif

let fortified: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

let hardened: [CSetting] =
  fortified + [.unsafeFlags(controlFlow + ["-fstack-protector-strong", "-ffunction-sections", "-Wall", "-Wextra", "-Werror"])]

// Set by the Makefile for what is installed. Of a package that depends on this one SwiftPM takes no such flags.
let isHardened = Context.environment["SIGNET_HARDENED"] != nil

// Small as well, for it waits for networks and providers; but programs in Swift name it, too.
let networked: [SwiftSetting] = strict + (isHardened ? sized : [])

// The same bytes whichever folder it was built in.
let withoutHashes = linker([Context.packageDirectory + "/Sources/tools/packaging/no-hashes.ld"], .when(configuration: .release))

// Of programs, not of what others load: no-frames.ld says why.
let withoutFrames = linker(
  ["--no-eh-frame-hdr", Context.packageDirectory + "/Sources/tools/packaging/no-frames.ld"], .when(configuration: .release))

// Debian has no package of the Swift runtime. Per target: --static-swift-stdlib would reach the Embedded target, which
// cannot be built under it.
let staticRuntime: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-use-ld=lld"], .when(configuration: .release)),
  linker(["-z", "now", "-z", "relro"]),
  // Start-up is what a user waits for: no dead code, and relocations in their short form (glibc 2.36).
  linker(["--gc-sections", "-z", "pack-relative-relocs", "--no-export-dynamic"], .when(configuration: .release)),
  // One copy of functions that are alike: nothing here compares where they are.
  linker(["--icf=all"], .when(configuration: .release)),
  withoutHashes, withoutFrames,
  // So are libraries to load. The Makefile puts nothing there but the C++ library's archive, or the linker would take another's, and
  // Unicode's tables.
  .unsafeFlags(
    ["-L", Context.packageDirectory + "/.build/static-c++", "-Xclang-linker", "-static-libgcc"], .when(configuration: .release)),
]

// For `signet` alone: ArgumentParser brings FoundationEssentials, whose static library does not say that it needs these; lld takes
// archives in any order.
let staticFoundation: [LinkerSetting] =
  ["_FoundationCollections", "_FoundationCShims", "swiftSynchronization"].map {
    .linkedLibrary($0, .when(configuration: .release))
  }

func linker(_ flags: [String], _ when: BuildSettingCondition? = nil) -> LinkerSetting {
  .unsafeFlags(flags.flatMap { ["-Xlinker", $0] }, when)
}

// The PAM modules are Embedded Swift without a heap. The folders that they share with normal targets are symlinks in the module's own, and
// of pam_fprintd's sources all are.
func module(_ name: String, in folder: String = "", own: [String] = [], settings: [SwiftSetting] = []) -> Target {
  .target(
    name: name,
    dependencies: ["CPAM", "CLinux"],
    exclude: own
      + [
        "exports.map", "pam_signet.8", "SignetBytes/Text", "SignetVocabulary/Administration", "SignetVocabulary/Reader",
        "SignetVocabulary/Vault", "SignetWire/PROTOCOL.md", "SignetWire/Administration", "SignetWire/Contexts",
        "SignetWire/Reader", "SignetWire/TPM", "SignetWire/Tokens", "SignetWire/Vault",
        "SignetWords/Administration", "SignetWords/CommandLine", "SignetWords/Desktop", "SignetWords/Vault", "SignetWords/po",
      ].map { folder + $0 },
    swiftSettings: settings + strict + [
      .enableExperimentalFeature("Embedded"),
      .unsafeFlags(["-Xfrontend", "-function-sections", "-Xfrontend", "-no-allocations"]),
    ] + sized,
    linkerSettings: [
      .linkedLibrary("pam"),
      // Debian's gold keeps imports that nothing uses any more.
      .unsafeFlags(["-use-ld=lld"]),
      linker([
        "--version-script=\(Context.packageDirectory)/Sources/login/pam_signet/exports.map",
        "-soname=\(name).so", "--as-needed", "--gc-sections",
        "-z", "now", "-z", "relro", "-z", "nodelete", "-z", "noexecstack", "-z", "separate-code",
      ]),
      // Release only: sanitizers leave symbols of their runtime undefined.
      linker(["-z", "defs"], .when(configuration: .release)),
      withoutHashes,
    ])
}

// For programs to load: Embedded Swift with a heap, on libc alone.
func library(_ name: String, _ uses: [Target.Dependency], own: [String], soname: String) -> Target {
  .target(
    name: name,
    dependencies: ["CEnvironment", "CLinux", "CTerminal"] + uses,
    exclude: own + [
      "exports.map", "SignetWire/PROTOCOL.md",
      "SignetWire/Reader/ClearTemplate.swift", "SignetWire/Reader/ReaderCommands.swift", "SignetWire/Reader/ReaderEvents.swift",
      "SignetWire/TPM", "SignetWire/Tokens",
      "SignetWords/Administration", "SignetWords/CommandLine", "SignetWords/Desktop", "SignetWords/Vault", "SignetWords/po",
    ],
    swiftSettings: strict + [
      .enableExperimentalFeature("Embedded"),
      .unsafeFlags(["-Xfrontend", "-function-sections"]),
      // Always: what compares texts by the tables of all of Unicode, which nothing here does, is left out by the optimizer only.
      .unsafeFlags(["-Osize"]),
    ],
    linkerSettings: [
      .unsafeFlags(["-use-ld=lld"]),
      linker([
        "--version-script=\(Context.packageDirectory)/Sources/applications/\(name)/exports.map",
        "-soname=\(soname)", "--as-needed", "--gc-sections",
        "-z", "now", "-z", "relro", "-z", "noexecstack", "-z", "separate-code",
      ]),
      linker(["-z", "defs", "-z", "pack-relative-relocs"], .when(configuration: .release)),
      withoutHashes,
    ])
}

// A program that somebody waits for at a login: Embedded Swift, so that it is there as quickly as one in C. What it shares with normal
// targets are symlinks in its folder.
func small(
  _ name: String, _ uses: [Target.Dependency], exclude: [String] = [], libraries: [String] = [], exports: [String] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .executableTarget(
    name: name, dependencies: ["CLibc", "CLinux"] + uses, exclude: exclude,
    swiftSettings: settings + [
      .enableExperimentalFeature("Embedded"),
      .unsafeFlags(["-Xfrontend", "-function-sections"]),
      // Always, as libsignet.
      .unsafeFlags(["-Osize"]),
    ],
    linkerSettings: [
      .unsafeFlags(["-use-ld=lld"]),
      linker(["--as-needed", "--gc-sections", "-z", "now", "-z", "relro", "-z", "noexecstack", "-z", "separate-code"]),
      linker(["-z", "pack-relative-relocs", "--no-export-dynamic"], .when(configuration: .release)),
      withoutHashes, withoutFrames,
      linker(exports.map { "--export-dynamic-symbol=\($0)" }),
      // Where the Makefile puts Unicode's tables, for those that compare texts.
      .unsafeFlags(["-L", Context.packageDirectory + "/.build/static-c++"]),
    ] + libraries.map { .linkedLibrary($0) })
}

// What the comparing of texts takes in Embedded Swift, and sets of them.
let texts = ["swiftUnicodeDataTables", "m"]

// One of signetd's floors: its folder, and what it uses besides the ground that all of them stand on.
func floor(_ name: String, _ uses: [Target.Dependency]) -> Target {
  .target(
    name: "Daemon\(name)",
    dependencies: ["CLinux", "SignetBytes", "SignetFiles", "SignetMemory", "SignetVocabulary"] + uses,
    path: "Sources/signetd/SignetDaemon/\(name)", swiftSettings: strict)
}

// Where a target's folder is, where its own declaration says nothing: Sources/README.md says what is in which room.
let rooms: KeyValuePairs = [
  "Sources/login": ["pam_signet", "pam_fprintd", "SignetStackCheck", "signet-stack"],
  "Sources/ground": [
    "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire", "SignetClient", "SignetLanguage", "SignetWords",
    "SignetFiles", "SignetMachine", "SignetDigest", "SignetSealing",
  ],
  "Sources/signetd": ["signetd", "SignetDaemon"],
  "Sources/rules": ["SignetAuthentication", "SignetConfiguration", "SignetTokens", "SignetVault"],
  "Sources/helpers": [
    "SignetReader", "signet-reader", "signet-passcode", "signet-tpm", "SignetBusProgram", "SignetLogind", "signet-logind",
    "SignetFprint", "signet-fprint", "signet-secrets", "SignetHid", "signet-hid", "SignetPasskey", "signet-passkey",
  ],
  "Sources/tokens": [
    "SignetSessionTokens", "SignetSealedStream", "SignetJSON", "SignetJWT", "SignetAuthTestKit", "SignetAgentProtocol",
    "SignetAgent", "signet-agent", "SignetCredential",
  ],
  "Sources/applications": [
    "libsignet", "signet-pkcs11", "SignetContexts", "SignetCoreFoundation", "Security", "LocalAuthentication", "SignetState",
  ],
  "Sources/desktop": ["SignetPinentry", "SignetPrompting", "signet-prompt", "SignetAskpass"],
  "Sources/tools": ["SignetCommandLine", "signet", "SignetScenarios"],
  "Sources/C": [
    "CLibc", "CLinux", "CEnvironment", "CTerminal", "CPAM", "CFprint", "CGio", "CSodium", "CScrypt", "CSeccomp", "CTPM",
    "CLogind", "CBus", "CUHID", "CCrypto", "CCurl", "CAudit", "CPKCS11", "CWipedHeap",
  ],
  "Tests": ["SignetTestKit"],
]

let package = Package(
  name: "signet",
  products: [
    .library(name: "pam_signet", type: .dynamic, targets: ["pam_signet"]),
    .library(name: "pam_fprintd", type: .dynamic, targets: ["pam_fprintd"]),
    .library(name: "signet0", type: .dynamic, targets: ["libsignet"]),
    .library(name: "signet-pkcs11", type: .dynamic, targets: ["signet-pkcs11"]),
    .executable(name: "signetd", targets: ["signetd"]),
    .executable(name: "signet-reader", targets: ["signet-reader"]),
    .executable(name: "signet-passcode", targets: ["signet-passcode"]),
    .executable(name: "signet-tpm", targets: ["signet-tpm"]),
    .executable(name: "signet-logind", targets: ["signet-logind"]),
    .executable(name: "signet-fprint", targets: ["signet-fprint"]),
    .executable(name: "signet-hid", targets: ["signet-hid"]),
    .executable(name: "signet-prompt", targets: ["signet-prompt"]),
    .executable(name: "signet-secrets", targets: ["signet-secrets"]),
    .executable(name: "signet-passkey", targets: ["signet-passkey"]),
    .executable(name: "signet-stack", targets: ["signet-stack"]),
    .executable(name: "signet", targets: ["signet"]),
    // For programs in Swift, which name this package. What these targets depend on has no unsafe flags: SwiftPM refuses those.
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "Security", targets: ["Security"]),
    .library(name: "SignetState", targets: ["SignetState"]),
    .library(name: "SignetAuth", targets: ["SignetAuth"]),
    .library(name: "SignetAuthTestKit", targets: ["SignetAuthTestKit"]),
    .library(name: "SignetJWT", targets: ["SignetJWT"]),
  ],
  dependencies: [
    // Subcommands, validation, help and completion of the command line. A source package has it beside this file.
    Context.environment["SIGNET_VENDORED"] == nil
      ? .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0") : .package(path: "swift-argument-parser")
  ],
  targets: [
    // A part of the libraries for programs, too.
    .target(name: "CLinux", cSettings: isHardened ? hardened : fortified),
    .target(name: "CEnvironment", cSettings: isHardened ? hardened : fortified),
    .target(name: "CTerminal", cSettings: isHardened ? hardened : fortified),
    // Changes the heap of what it is linked into: of programs, and no library.
    .target(name: "CWipedHeap", cSettings: isHardened ? hardened : fortified),
    // logind's own library says whose session a process is in; loaded at the first question, so nothing is linked.
    .target(name: "CLogind", cSettings: hardened),
    // sd-bus, whose tables are macros: GIO's bus would take a second thread and twice the memory.
    .target(name: "CBus", dependencies: ["CLinux"], cSettings: hardened, linkerSettings: [.linkedLibrary("systemd")]),
    // The kernel's structures for a HID device that a program plays: unions with arrays of thousands.
    .target(name: "CUHID", cSettings: hardened),
    // Its macros for a filter of system calls cannot be imported, and libseccomp would be one library more to load.
    .target(name: "CSeccomp", cSettings: hardened),
    // The TPM's library, loaded at the first question: its types are C's unions, and without a TPM nothing of it is needed.
    .target(name: "CTPM", cSettings: hardened),
    // Signs and verifies tokens by OpenSSL's libcrypto, which Debian keeps and libsodium's curves are not in; loaded at the first call.
    .target(name: "CCrypto", cSettings: isHardened ? hardened : fortified),
    // auditd's own library writes its records; loaded at the first one, where auditd runs.
    .target(name: "CAudit", cSettings: hardened),
    // HTTP over TLS by the system's libcurl, loaded at the first request. Foundation's client on Linux can neither pin a key nor bound an
    // answer while it comes.
    .target(name: "CCurl", cSettings: isHardened ? hardened : fortified),
    // What libc has, for Embedded Swift.
    .systemLibrary(name: "CLibc"),
    // Lets libsodium's scrypt take its memory page by page.
    .target(name: "CScrypt", cSettings: hardened),
    .systemLibrary(name: "CPAM"),
    // Hashes, sealing and scrypt by Debian's libsodium: no vendored cipher in a process that starts for every first login.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .target(name: "SignetDigest", dependencies: ["CSodium"], swiftSettings: strict),
    .systemLibrary(name: "CFprint", pkgConfig: "libfprint-2", providers: [.apt(["libfprint-2-dev", "libglib2.0-dev"])]),

    .systemLibrary(name: "CGio", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),

    .target(name: "SignetMemory", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "SignetBytes", dependencies: ["SignetMemory"], swiftSettings: strict),
    .target(name: "SignetVocabulary", swiftSettings: strict),
    .target(
      name: "SignetWire", dependencies: ["SignetBytes", "SignetMemory", "SignetVocabulary"], exclude: ["PROTOCOL.md"],
      swiftSettings: strict),
    // Sentences in the user's language. Apart from SignetWords for what signetd uses, too, and speaks English in.
    .target(name: "SignetLanguage", dependencies: ["CLinux", "SignetBytes"], swiftSettings: strict),
    .target(
      name: "SignetWords", dependencies: ["SignetLanguage", "CLinux", "SignetBytes", "SignetClient", "SignetVocabulary"],
      exclude: ["po"],
      swiftSettings: strict),
    .target(
      name: "SignetClient", dependencies: ["CLinux", "SignetBytes", "SignetMemory", "SignetVocabulary", "SignetWire"],
      swiftSettings: strict),
    module("pam_signet"),
    module("pam_fprintd", in: "pam_signet/", own: ["pam_fprintd.8"], settings: [.define("FINGER_ONLY")]),
    .systemLibrary(name: "CSignet", path: "Sources/applications/libsignet/include"),
    // The C API of applications.
    library(
      "libsignet", ["CSignet"], own: ["abi", "include", "signet.3", "signet.pc.in"], soname: "libsignet.so.0"),
    // PKCS#11's header, and the lock of what speaks it.
    .target(name: "CPKCS11", cSettings: hardened),
    // The keys, for programs that know those of smart cards.
    library("signet-pkcs11", ["CPKCS11", "CSodium"], own: ["signet.module"], soname: "signet-pkcs11.so"),
    .target(
      name: "SignetContexts",
      dependencies: [
        "CEnvironment", "CLinux", "CTerminal", "SignetBytes", "SignetClient", "SignetMemory", "SignetVocabulary", "SignetWire",
        "SignetWords",
      ],
      swiftSettings: strict),

    .target(
      name: "SignetSealing",
      dependencies: ["CLinux", "CSodium", "SignetBytes", "SignetFiles", "SignetMemory", "SignetVocabulary"],
      swiftSettings: strict),
    .target(
      name: "SignetVault",
      dependencies: [
        "CLinux", "CScrypt", "CSodium", "SignetBytes", "SignetFiles", "SignetMemory", "SignetSealing", "SignetVocabulary",
      ],
      exclude: ["FORMAT.md"], swiftSettings: strict),
    .target(name: "SignetAuthentication", dependencies: ["SignetVocabulary"], swiftSettings: strict),
    .target(
      name: "SignetTokens",
      dependencies: [
        "CCrypto", "CLinux", "CSodium", "SignetBytes", "SignetMemory", "SignetVocabulary", "SignetAuthentication", "SignetDigest",
      ],
      swiftSettings: strict),
    .target(
      name: "SignetReader",
      dependencies: [
        "CFprint", "CLinux", "CSeccomp", "SignetMachine", "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire",
      ],
      swiftSettings: glib + sized),
    // What signet-logind, signet-fprint, signet-secrets and signet-hid have in common.
    .target(name: "SignetBusProgram", dependencies: ["SignetBytes"], swiftSettings: glib),
    .target(
      name: "SignetLogind",
      dependencies: [
        "CGio", "CLinux", "SignetBusProgram", "SignetClient", "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire",
      ],
      swiftSettings: glib),
    .target(
      name: "SignetFprint",
      dependencies: [
        "CBus", "CLinux", "SignetBusProgram", "SignetClient", "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire",
      ],
      swiftSettings: glib),
    .target(
      name: "SignetHid", dependencies: ["CBus", "CLinux", "CUHID", "SignetBusProgram", "SignetBytes", "SignetVocabulary"],
      swiftSettings: glib),
    // What a security key says.
    .target(name: "SignetPasskey", dependencies: ["SignetBytes"], swiftSettings: strict),
    // pinentry's protocol, for signet-prompt and signet-askpass.
    .target(name: "SignetPinentry", dependencies: ["CEnvironment", "CLinux", "SignetMemory"], swiftSettings: strict),
    .target(
      name: "SignetAskpass",
      dependencies: [
        "SignetLanguage",
        "CLinux", "SignetBytes", "SignetClient", "SignetContexts", "SignetMemory", "SignetPinentry", "SignetVocabulary",
        "SignetWords",
      ], swiftSettings: strict + sized),
    .target(
      name: "SignetPrompting",
      dependencies: [
        "SignetLanguage",
        "CGio", "CLinux", "SignetBytes", "SignetFiles", "SignetMemory", "SignetPinentry", "SignetVocabulary", "SignetWire",
        "SignetWords",
      ],
      swiftSettings: glib),
    .target(name: "SignetFiles", dependencies: ["CLinux", "SignetVocabulary"], swiftSettings: strict),
    .target(
      name: "SignetConfiguration", dependencies: ["SignetLanguage", "SignetAuthentication", "SignetFiles", "SignetVocabulary"],
      swiftSettings: strict + sized),
    // signetd in floors, the lowest first, each of which imports only lower ones: the compiler keeps the walls.
    floor("Service", ["CLogind", "SignetAuthentication", "SignetDigest"]),
    floor("Sealing", ["DaemonService", "SignetSealing", "SignetWire"]),
    floor("Connections", ["DaemonService", "SignetAuthentication", "SignetWire"]),
    floor(
      "Accounts",
      ["DaemonSealing", "DaemonService", "SignetAuthentication", "SignetDigest", "SignetSealing", "SignetTokens", "SignetWire"]),
    floor("Audit", ["CAudit", "DaemonConnections", "DaemonService", "SignetAuthentication", "SignetDigest", "SignetWire"]),
    floor(
      "Tokens",
      ["DaemonAccounts", "DaemonSealing", "DaemonService", "SignetDigest", "SignetSealing", "SignetTokens", "SignetWire"]),
    floor("Readers", ["DaemonAccounts", "DaemonConnections", "DaemonService", "SignetWire"]),
    floor("Passcodes", ["DaemonConnections", "DaemonService", "SignetAuthentication", "SignetWire"]),
    floor(
      "Vaults",
      [
        "DaemonAccounts", "DaemonPasscodes", "DaemonSealing", "DaemonService", "SignetAuthentication", "SignetSealing",
        "SignetTokens", "SignetVault", "SignetWire",
      ]),
    floor(
      "Proving",
      [
        "DaemonAccounts", "DaemonAudit", "DaemonConnections", "DaemonPasscodes", "DaemonReaders", "DaemonService", "DaemonVaults",
        "SignetAuthentication", "SignetConfiguration", "SignetMachine", "SignetWire",
      ]),
    .target(
      name: "SignetDaemon",
      dependencies: [
        "CLinux", "DaemonAccounts", "DaemonAudit", "DaemonConnections", "DaemonPasscodes", "DaemonProving", "DaemonReaders",
        "DaemonSealing", "DaemonService", "DaemonTokens", "DaemonVaults", "SignetAuthentication", "SignetBytes",
        "SignetConfiguration", "SignetFiles", "SignetMemory", "SignetTokens", "SignetVault", "SignetVocabulary", "SignetWire",
      ],
      exclude: [
        "Accounts", "Audit", "Connections", "Passcodes", "Proving", "Readers", "Sealing", "Service", "Tokens", "Vaults",
      ],
      swiftSettings: strict),
    // What a session gets from signetd for its token, asked by commands and by libraries.
    .target(
      name: "SignetSessionTokens",
      dependencies: ["SignetBytes", "SignetClient", "SignetMemory", "SignetVocabulary", "SignetWire"], swiftSettings: strict),
    // What `signet token seal` writes.
    .target(
      name: "SignetSealedStream", dependencies: ["CSodium", "SignetBytes", "SignetMemory", "SignetSessionTokens"],
      swiftSettings: strict + sized),
    .target(name: "SignetStackCheck", dependencies: ["SignetLanguage", "CLinux"], swiftSettings: strict + sized),
    .target(name: "SignetMachine", dependencies: ["CLinux", "SignetBytes"], swiftSettings: strict),
    // What a reader has to stand, on every kind of reader.
    .target(
      name: "SignetScenarios",
      dependencies: [
        "SignetLanguage", "CLinux", "SignetBytes", "SignetClient", "SignetMemory", "SignetVocabulary", "SignetWire",
      ],
      swiftSettings: strict + sized),
    .target(
      name: "SignetCommandLine",
      dependencies: [
        "SignetLanguage",
        "CCrypto", "CLinux", "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire", "SignetClient",
        "SignetConfiguration", "SignetAgentProtocol", "SignetContexts", "SignetFiles", "SignetJSON", "SignetMachine",
        "SignetDigest", "SignetPasskey", "SignetScenarios", "SignetSealedStream", "SignetSessionTokens", "SignetStackCheck",
        "SignetWords",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict + sized),

    // Apple's names, for programs. Each module gives out those before it.
    .target(name: "SignetCoreFoundation", swiftSettings: shown),
    .target(
      name: "Security",
      dependencies: [
        "CCrypto", "SignetBytes", "SignetClient", "SignetContexts", "SignetCoreFoundation", "SignetMemory", "SignetVocabulary",
        "SignetWire",
      ],
      swiftSettings: shown),
    .target(
      name: "LocalAuthentication", dependencies: ["Security", "SignetContexts", "SignetVocabulary", "SignetWire"],
      swiftSettings: shown),
    .target(
      name: "SignetState", dependencies: ["LocalAuthentication", "Security", "SignetContexts", "SignetVocabulary"],
      swiftSettings: strict),

    // Token services, for programs; none of Signet's own that decide or unseal depends on these.
    .target(name: "SignetJSON", swiftSettings: networked),
    .target(name: "SignetJWT", dependencies: ["CCrypto", "SignetJSON", "SignetMemory"], swiftSettings: networked),
    // Apart from SignetAuth for signet-agent, which has no use for all of Foundation.
    .target(
      name: "SignetTokenServices",
      dependencies: [
        "CCurl", "CEnvironment", "CLinux", "SignetBytes", "SignetContexts", "SignetFiles", "SignetJSON", "SignetJWT",
        "SignetLanguage", "SignetMemory", "SignetSessionTokens", "SignetVocabulary",
      ], path: "Sources/tokens/SignetAuth", exclude: ["Application"], swiftSettings: networked),
    .target(
      name: "SignetAuth", dependencies: ["LocalAuthentication", "Security", "SignetTokenServices"],
      path: "Sources/tokens/SignetAuth/Application", swiftSettings: strict),
    .target(name: "SignetAuthTestKit", dependencies: ["SignetAuth"], swiftSettings: strict),

    // What signet-agent is asked, for it and for those who ask.
    .target(
      name: "SignetAgentProtocol", dependencies: ["CLinux", "SignetFiles", "SignetJSON", "SignetLanguage"],
      swiftSettings: strict + sized),
    .target(
      name: "SignetAgent",
      dependencies: [
        "CLinux", "SignetAgentProtocol", "SignetBytes", "SignetContexts", "SignetFiles", "SignetJSON", "SignetJWT",
        "SignetLanguage", "SignetMemory", "SignetSealing", "SignetSessionTokens", "SignetTokenServices", "SignetVocabulary",
      ], swiftSettings: strict + sized),
    // Tokens for git, docker, kubectl and AWS.
    .target(
      name: "SignetCredential",
      dependencies: [
        "SignetLanguage", "SignetAgentProtocol", "SignetBytes", "SignetContexts", "SignetFiles", "SignetJSON",
        "SignetMemory", "SignetVocabulary",
      ],
      swiftSettings: strict + sized),
    .executableTarget(
      name: "signet-agent", dependencies: ["CWipedHeap", "SignetAgent", "SignetLanguage", "SignetVocabulary"],
      exclude: ["signet-agent.1", "systemd"],
      swiftSettings: strict, linkerSettings: staticRuntime),

    .executableTarget(
      name: "signetd", dependencies: ["SignetDaemon", "SignetVocabulary"],
      exclude: ["signet.conf.5", "signet.conf.sed", "signetd.8", "systemd"],
      swiftSettings: strict, linkerSettings: staticRuntime),
    .executableTarget(
      name: "signet-reader", dependencies: ["SignetReader", "SignetVocabulary"], swiftSettings: glib,
      linkerSettings: staticRuntime),
    small(
      "signet-logind", ["CGio"],
      exclude: [
        "SignetWire/PROTOCOL.md", "SignetWire/Reader/ClearTemplate.swift", "SignetWire/Reader/ReaderCommands.swift",
        "SignetWire/Reader/ReaderEvents.swift", "SignetWire/TPM", "SignetWire/Tokens",
      ], libraries: texts, settings: glib),
    small(
      "signet-fprint", ["CBus"],
      exclude: [
        "bus", "signet-fprint.8",
        "SignetWire/PROTOCOL.md", "SignetWire/Reader/ClearTemplate.swift", "SignetWire/Reader/ReaderCommands.swift",
        "SignetWire/Reader/ReaderEvents.swift", "SignetWire/TPM", "SignetWire/Tokens",
      ], libraries: texts + ["systemd"], settings: glib),
    small(
      "signet-hid", ["CBus", "CUHID"], exclude: ["signet-hid.8", "systemd"], libraries: texts + ["systemd"], settings: glib),
    small(
      "signet-secrets", ["CBus", "CCrypto", "CEnvironment", "CTerminal", "CWipedHeap"],
      exclude: [
        "bus", "signet-secrets.8", "SignetWire/PROTOCOL.md", "SignetWire/Reader/ClearTemplate.swift",
        "SignetWire/Reader/ReaderCommands.swift", "SignetWire/Reader/ReaderEvents.swift", "SignetWire/TPM", "SignetWire/Tokens",
        "SignetWords/Administration", "SignetWords/CommandLine", "SignetWords/Desktop", "SignetWords/Vault", "SignetWords/po",
      ], libraries: texts + ["systemd"], settings: glib),
    small(
      "signet-passkey", ["CCrypto", "CEnvironment", "CTerminal", "CWipedHeap"],
      exclude: [
        "systemd", "signet-passkey.8", "SignetWire/PROTOCOL.md", "SignetWire/Reader/ClearTemplate.swift",
        "SignetWire/Reader/ReaderCommands.swift", "SignetWire/Reader/ReaderEvents.swift", "SignetWire/TPM", "SignetWire/Tokens",
        "SignetWords/Administration", "SignetWords/CommandLine", "SignetWords/Desktop", "SignetWords/Vault", "SignetWords/po",
      ], libraries: texts, settings: glib),
    small(
      "signet-prompt", ["CEnvironment", "CGio"],
      exclude: [
        "signet-prompt.8", "SignetWire/PROTOCOL.md", "SignetWire/Administration", "SignetWire/Reader", "SignetWire/TPM",
        "SignetWire/Tokens", "SignetWire/Vault", "SignetWords/Administration", "SignetWords/CommandLine",
        "SignetWords/Desktop/AskpassText.swift", "SignetWords/Vault", "SignetWords/po",
      ], libraries: texts, settings: glib),
    small("signet-passcode", ["CPAM"], libraries: ["pam"]),
    small("signet-tpm", ["CTPM"]),
    // Its own dlopen and three more, which libpam finds before libc's and libaudit's: no module is loaded, nothing is logged.
    small(
      "signet-stack", ["CPAM"], libraries: ["pam"],
      exports: ["dlopen", "pam_sm_authenticate", "__syslog_chk", "audit_open"]),
    .executableTarget(
      name: "signet",
      dependencies: ["CWipedHeap", "SignetAskpass", "SignetCommandLine", "SignetCredential", "SignetVocabulary"],
      exclude: [
        "signet.1", "signet-askpass.1", "signet-auth.7", "signet-credential.1", "signet-fleet.7", "signet-json.5", "signet-key.1",
        "signet-vault.1", "systemd",
      ],
      swiftSettings: strict, linkerSettings: staticRuntime + staticFoundation),

    .target(
      name: "SignetTestKit",
      dependencies: [
        "CPAM", "CLinux", "SignetClient", "SignetMemory", "SignetBytes", "SignetVocabulary", "SignetWire", "SignetWords",
      ],
      exclude: ["clocks.c", "fake_logind.py", "fake_notifications.py", "polkit_agent.py", "terminal_job.py"],
      swiftSettings: tests),

    // `make demo`.
    .executableTarget(
      name: "signet-demo", dependencies: ["CPAM", "SignetTestKit"], path: "Tests/Demo", exclude: ["App", "Services"],
      swiftSettings: tests),
    // What an application is written like, for the demo.
    .executableTarget(
      name: "signet-demo-app", dependencies: ["LocalAuthentication", "Security"], path: "Tests/Demo/App", swiftSettings: tests),
    // A program that signs in by each service in turn, for the demo.
    .executableTarget(
      name: "signet-demo-services", dependencies: ["SignetAuth"], path: "Tests/Demo/Services", swiftSettings: tests),
    // What a recorded reader's driver delivers, for tests alone: signet-reader lets no picture out.
    .executableTarget(
      name: "captured-print", dependencies: ["CFprint"], path: "Tests/CapturedPrint", swiftSettings: tests),
    // A process that is confined like signet-reader, and tries to get out.
    .executableTarget(name: "confined", dependencies: ["CSeccomp"], path: "Tests/Confined", cSettings: hardened),
    // Fingers for `make bench`.
    .executableTarget(
      name: "draw-print", dependencies: ["SignetTestKit"], path: "Tests/Benchmarks/DrawPrint", swiftSettings: tests),
    // Tokens of the agent, of signetd and of a provider for `make bench`, on a clock.
    .executableTarget(
      name: "token-speed",
      dependencies: [
        "SignetAgentProtocol", "SignetAuth", "SignetAuthTestKit", "SignetBytes", "SignetMemory", "SignetSessionTokens",
        "SignetTestKit",
      ], path: "Tests/Benchmarks/TokenSpeed", swiftSettings: tests),
    // A program that authenticates by libpam, for tests and benchmarks that need a process of its own. Not installed.
    .executableTarget(
      name: "pam-host",
      dependencies: [
        "CPAM", "CLinux", "SignetBytes", "SignetClient", "SignetMemory", "SignetTestKit", "SignetVocabulary", "SignetWire",
      ], path: "Tests/PAMHost", swiftSettings: tests,
      // Its own __syslog_chk, which catches what libpam logs.
      linkerSettings: [linker(["--export-dynamic-symbol=__syslog_chk"])]),
    // Programs in the style of tutorials for Apple's systems, the same sources in both language modes.
    .executableTarget(
      name: "apple-style-5", dependencies: ["LocalAuthentication", "Security", "SignetState"], path: "Tests/AppleStyle/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)] + asWritten),
    .executableTarget(
      name: "apple-style-6", dependencies: ["LocalAuthentication", "Security", "SignetState"], path: "Tests/AppleStyle/Swift6",
      swiftSettings: asWritten),
    // Libraries in the style of public ones: a wrapper with all that is usual, one for fingers and keys, and one that imports Foundation only,
    // in the two ways in which that is possible.
    .target(name: "Chest", dependencies: ["Security"], path: "Tests/AppleStyle/Libraries/Chest", swiftSettings: asWritten),
    .target(
      name: "FingerSafe", dependencies: ["LocalAuthentication", "Security"], path: "Tests/AppleStyle/Libraries/FingerSafe",
      swiftSettings: asWritten),
    .target(name: "Plain", dependencies: ["Security"], path: "Tests/AppleStyle/Libraries/Plain", swiftSettings: asWritten),
    .target(
      name: "PlainByFlag", dependencies: ["Security"], path: "Tests/AppleStyle/Libraries/PlainByFlag",
      swiftSettings: asWritten + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Security"])]),
    .executableTarget(
      name: "apple-libraries", dependencies: ["Chest", "FingerSafe", "LocalAuthentication", "Plain", "PlainByFlag"],
      path: "Tests/AppleStyle/Libraries/Program", swiftSettings: asWritten),
    // Keeps a token in the vault, for tests.
    .executableTarget(name: "token-vault", dependencies: ["SignetAuth"], path: "Tests/TokenVault", swiftSettings: tests),
    .executableTarget(
      name: "apple-crowd", dependencies: ["LocalAuthentication", "Security"], path: "Tests/AppleStyle/Crowd",
      swiftSettings: tests),
    .testTarget(
      name: "LocalAuthenticationTests",
      dependencies: [
        "CLinux", "LocalAuthentication", "Security", "SignetContexts", "SignetTestKit", "SignetVocabulary", "SignetWire",
        "apple-crowd", "apple-libraries", "apple-style-5", "apple-style-6", "token-vault",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetStateTests", dependencies: ["SignetContexts", "SignetState", "SignetVocabulary"], swiftSettings: tests),
    .testTarget(
      name: "SecurityTests", dependencies: ["Security", "SignetTestKit", "SignetVocabulary", "SignetWire"], swiftSettings: tests),
    // The server's end of TLS, for a server of the tests' own.
    .target(name: "CTLSServer", path: "Tests/SignetAuthTests/CTLSServer", cSettings: hardened),
    // Sources in the style of tutorials about sign-in.
    .target(
      name: "AuthTutorial", dependencies: ["SignetAuthTestKit"], path: "Tests/SignetAuthTests/Tutorial",
      swiftSettings: [.swiftLanguageMode(.v5)] + asWritten),
    .testTarget(
      name: "SignetAuthTests",
      dependencies: [
        "AuthTutorial", "CLinux", "CTLSServer", "Security", "SignetAuth", "SignetAuthTestKit", "SignetJSON", "SignetJWT",
        "SignetTestKit", "SignetTokenServices",
      ],
      exclude: ["CTLSServer", "Tutorial"], swiftSettings: tests,
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .testTarget(
      name: "SignetJWTTests",
      dependencies: ["SignetJSON", "SignetJWT", "SignetTestKit"], swiftSettings: tests),
    // With providers that nobody here wrote; see Tests/Providers.
    .testTarget(
      name: "ProviderTests",
      dependencies: [
        "CLinux", "SignetAuth", "SignetAuthTestKit", "SignetJSON", "SignetJWT", "SignetTestKit", "SignetTokenServices",
        "SignetVocabulary", "SignetWire",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetAgentTests",
      dependencies: [
        "CLinux", "SignetAgent", "SignetCredential", "SignetSealing", "SignetTestKit", "SignetTokenServices",
        "SignetVocabulary", "SignetWire",
      ], swiftSettings: tests),
    .testTarget(
      name: "PAMModuleTests",
      dependencies: [
        "CPAM", "CLinux", "SignetClient", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire", "pam-host",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetClientTests",
      dependencies: ["CLinux", "SignetBytes", "SignetClient", "SignetMemory", "SignetTestKit", "SignetVocabulary", "SignetWire"],
      swiftSettings: tests),
    .testTarget(
      name: "SignetContextsTests",
      dependencies: [
        "CLinux", "SignetBytes", "SignetClient", "SignetContexts", "SignetMemory", "SignetTestKit", "SignetVocabulary",
        "SignetWire",
      ],
      swiftSettings: tests),
    // C programs, and the examples in other languages.
    .testTarget(
      name: "libsignetTests",
      dependencies: [
        "CLinux", "SignetBytes", "SignetContexts", "SignetTestKit", "SignetTokens", "SignetVocabulary", "SignetWire",
      ],
      exclude: ["client.c", "crowd.c", "prompt.py", "threads.c"], swiftSettings: tests),
    // A real signetd, and programs that know PKCS#11.
    .testTarget(
      name: "PKCS11Tests", dependencies: ["SignetTestKit", "SignetTokens", "SignetVocabulary", "SignetWire"],
      exclude: ["module.c"], swiftSettings: tests),
    .testTarget(name: "SignetBytesTests", dependencies: ["SignetBytes", "SignetMemory", "SignetTestKit"], swiftSettings: tests),
    .testTarget(
      name: "SignetWordsTests",
      dependencies: ["SignetBytes", "SignetClient", "SignetLanguage", "SignetTestKit", "SignetVocabulary", "SignetWords"],
      swiftSettings: tests),
    // No test depends on programs in Embedded Swift: what it depends on is linked into the test program, and their runtime is another one.
    .testTarget(
      name: "SignetStackCheckTests", dependencies: ["SignetStackCheck", "SignetTestKit"], swiftSettings: tests),
    .testTarget(name: "ReleaseGates", dependencies: ["SignetVocabulary"], swiftSettings: tests),
    .testTarget(
      name: "SignetAuthenticationTests", dependencies: ["SignetAuthentication", "SignetBytes", "SignetVocabulary", "SignetWire"],
      swiftSettings: tests),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CLinux", "SignetClient", "SignetCommandLine", "SignetConfiguration", "SignetMachine", "SignetMemory", "SignetPasskey",
        "SignetTestKit", "SignetBytes",
        "SignetStackCheck", "SignetVocabulary", "SignetWire", "SignetWords",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetFilesTests", dependencies: ["SignetFiles", "SignetTestKit", "SignetVocabulary"], swiftSettings: tests),
    .testTarget(
      name: "SignetConfigurationTests",
      dependencies: ["SignetAuthentication", "SignetConfiguration", "SignetFiles", "SignetTestKit"], swiftSettings: tests),
    .testTarget(
      name: "SignetDaemonTests",
      dependencies: [
        "CLinux", "DaemonProving", "SignetAuthentication", "SignetDaemon", "SignetFiles", "SignetMemory",
        "SignetTestKit", "SignetTokens", "SignetVault",
        "SignetBytes", "SignetVocabulary", "SignetWire", "SignetWords",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "SignetSealingTests",
      dependencies: [
        "SignetFiles", "SignetMemory", "SignetSealing", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire",
        "SignetWords",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "SignetVaultTests",
      dependencies: [
        "SignetFiles", "SignetMemory", "SignetSealing", "SignetTestKit", "SignetVault", "SignetBytes", "SignetVocabulary",
        "SignetWire", "SignetWords",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "SignetTokensTests",
      dependencies: ["SignetAuthentication", "SignetMemory", "SignetTokens", "SignetBytes", "SignetVocabulary", "SignetWire"],
      swiftSettings: tests),
    // The real daemon, reader process and passcode check, on libfprint's virtual readers.
    .testTarget(
      name: "LoginTests",
      dependencies: [
        "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire", "SignetWords", "SignetMemory", "SignetDaemon",
        "CFprint", "SignetDigest",
        "SignetFiles", "SignetSealing",
        "SignetAuthentication", "SignetSessionTokens", "SignetTokens", "SignetVault", "CLinux", "CPAM", "DaemonAccounts",
        "DaemonSealing", "DaemonTokens", "apple-style-6", "pam-host",
      ],
      exclude: [
        "README.md", "SudoAndLogin/screens.txt", "SudoAndLogin/world.sh", "Keyrings/desktop.sh", "Keyrings/gnome-session.sh",
        "Keyrings/kde-session.py", "asleep.c", "Hosts/beside-pkttyagent", "Hosts/beside-sudo-rs",
      ], swiftSettings: tests),
    // The attacks that this field has seen, against the real thing, and the power switch: see its READMEs.
    .target(name: "CPowerCut", path: "Tests/LockoutTests/PowerCut/CPowerCut", cSettings: hardened),
    .testTarget(
      name: "LockoutTests",
      dependencies: [
        "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire", "SignetMemory", "SignetDigest", "SignetAuthentication",
        "SignetDaemon", "SignetFiles", "CLinux", "CPAM",
        "CPowerCut", "DaemonAccounts", "pam-host",
      ],
      exclude: ["README.md", "PowerCut/README.md", "PowerCut/CPowerCut", "Protocol/charging.pml"], swiftSettings: tests),
    // What is installed: the profile, the units, the rules and where files go.
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "CLinux", "CPAM", "SignetStackCheck", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire",
      ],
      swiftSettings: tests),

    .testTarget(
      name: "SignetReaderTests",
      dependencies: [
        "CFprint", "SignetReader", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire", "confined",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "HardwareTests",
      dependencies: [
        "CFprint", "DaemonAccounts", "SignetAuthentication", "SignetClient", "SignetMemory", "SignetScenarios", "SignetTestKit",
        "SignetBytes", "SignetVocabulary", "SignetWire", "captured-print",
      ],
      exclude: ["cancel_when_armed.py", "keep_order.py"],
      swiftSettings: tests),
    // A bus of the test's own, with a logind of the test's own on it.
    .testTarget(
      name: "SignetLogindTests",
      dependencies: [
        "CLinux", "SignetBusProgram", "SignetLogind", "SignetMemory", "SignetTestKit", "SignetBytes", "SignetVocabulary",
        "SignetWire", "pam-host",
      ],
      swiftSettings: tests),
    // The same with a real signetd, and with fprintd's own programs.
    .testTarget(
      name: "SignetFprintTests",
      dependencies: [
        "SignetBusProgram", "SignetFprint", "SignetMemory", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire",
      ], exclude: ["bus_client.py"], swiftSettings: tests),
    // The same bus and logind, and a socket in the place of the kernel's node.
    .testTarget(
      name: "SignetHidTests", dependencies: ["CLinux", "SignetBusProgram", "SignetHid", "SignetTestKit"], swiftSettings: tests),
    // A user's own bus with a real signetd behind it, and programs that know libsecret.
    .testTarget(
      name: "SignetSecretsTests", dependencies: ["CLinux", "SignetTestKit", "SignetVocabulary", "SignetWire"],
      exclude: ["secrets_client.py"], swiftSettings: tests),
    // A real signetd, and the host's side of the device.
    .testTarget(
      name: "SignetPasskeyTests",
      dependencies: [
        "CCrypto", "CLinux", "SignetBytes", "SignetFiles", "SignetMemory", "SignetPasskey", "SignetSealing", "SignetTestKit",
        "SignetTokens", "SignetVault", "SignetVocabulary", "SignetWire",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetPinentryTests", dependencies: ["SignetBytes", "SignetMemory", "SignetPinentry", "SignetTestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "SignetAskpassTests",
      dependencies: [
        "SignetAskpass", "SignetBytes", "SignetMemory", "SignetTestKit", "SignetVocabulary", "SignetWire",
      ], swiftSettings: tests),
    // A bus of the test's own, with somebody on it who shows notifications, and Debian's pinentries.
    .testTarget(
      name: "SignetPromptingTests",
      dependencies: [
        "CLinux", "SignetBytes", "SignetMemory", "SignetPinentry", "SignetPrompting", "SignetTestKit", "SignetVocabulary",
        "SignetWire",
      ], swiftSettings: tests),
    .testTarget(
      name: "SignetPasscodeTests",
      dependencies: [
        "CPAM", "CLinux", "SignetMemory", "SignetStackCheck", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire",
      ],
      exclude: ["scripted_module.c"], swiftSettings: tests),
    .testTarget(
      name: "SignetWireTests", dependencies: ["SignetMemory", "SignetTestKit", "SignetBytes", "SignetVocabulary", "SignetWire"],
      exclude: ["vectors"],
      swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)

for (room, names) in rooms {
  for target in package.targets where target.path == nil && names.contains(target.name) {
    target.path = "\(room)/\(target.name)"
  }
}

// `make fuzz` makes a program of it, with libFuzzer's main. Otherwise it is compiled with the tests, which is when a change that breaks it
// should be seen: `make test` comes to the fuzzers late.
let fuzzed: [Target.Dependency] = [
  "DaemonAccounts", "DaemonAudit", "DaemonConnections", "DaemonPasscodes", "DaemonProving", "DaemonService", "DaemonVaults",
  "SignetAuthentication", "SignetBytes", "SignetClient", "SignetConfiguration", "SignetDaemon", "SignetDigest",
  "SignetFiles", "SignetMemory", "SignetPasskey", "SignetPinentry", "SignetSealing", "SignetTokens", "SignetVault",
  "SignetVocabulary", "SignetWire", "SignetWords",
]
package.targets.append(
  Context.environment["SIGNET_FUZZ"] != nil
    ? .executableTarget(
      name: "fuzz", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["run.sh"], swiftSettings: tests,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    : .testTarget(name: "fuzz", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["run.sh"], swiftSettings: tests))

// `make demo` without identity providers: what it runs, and what that depends on.
if Context.environment["SIGNET_DEMO"] != nil {
  let programs = ["pam_signet", "signetd", "signet-reader", "signet-passcode", "signet", "signet-demo", "signet-demo-app"]
  var kept: Set<String> = []
  func keep(_ name: String) {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
    for case .byNameItem(let name, _) in target.dependencies { keep(name) }
  }
  for name in programs { keep(name) }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { !programs.contains($0.name) }
}

// A test waits for the programs that it starts, and unoptimised it is compiled in half the time. The optimizer is for what is tested. A
// failed expectation names its line without a debugger's tables; and the compiler would read all sources twice for the module, which
// nobody imports.
for target in package.targets where target.type == .test {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .unsafeFlags(["-Onone", "-gnone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
    ]
}

// `make tsan`: signetd, and the tests of its own code and of the libraries', under the thread sanitizer.
if Context.environment["SIGNET_TSAN"] != nil {
  let tested = [
    "SecurityTests", "SignetClientTests", "SignetContextsTests", "SignetDaemonTests", "SignetStateTests", "SignetTokensTests",
  ]
  package.targets.removeAll { $0.type == .test && !tested.contains($0.name) }
  package.targets.append(.target(name: "CVisibleMutex", path: "Tests/ThreadSanitizer", exclude: ["run.sh"]))
  for target in package.targets where (tested + ["signetd"]).contains(target.name) {
    target.dependencies.append("CVisibleMutex")
  }
}
