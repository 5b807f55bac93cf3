import CPAM
import Foundation

private typealias PAMConversation =
  @convention(c) (
    Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
  ) -> Int32

/// The `common-auth` and its like that Debian's own pam-auth-update makes of our profile and Debian's, in a private root.
final class ComposedStack {
  private let directory: TemporaryDirectory
  let auth: String
  let password: String
  let session: String
  let sessionNoninteractive: String

  init() throws {
    let directory = try TemporaryDirectory()
    for name in ["root/etc/pam.d", "root/var/lib/pam", "root/usr/share/pam-configs", "database"] {
      try directory.makeDirectory(name)
    }
    // Written anew, not copied: a copy would keep root as the owner, which only root may.
    let unix = try String(contentsOfFile: "/usr/share/pam-configs/unix", encoding: .utf8)
    for (name, text) in DebianServices.profiles.merging(["unix": unix], uniquingKeysWith: { $1 }) {
      try directory.write(text, to: "root/usr/share/pam-configs/\(name)")
    }
    let ours = try String(contentsOfFile: "\(Checkout.path)/pam/signet.pam-config", encoding: .utf8)
    try directory.write(ours, to: "root/usr/share/pam-configs/signet")
    try directory.write(ComposedStack.debconf(directory.path), to: "debconf.conf")
    self.directory = directory
    try ComposedStack.update(directory, ["--force", "--enable", "signet"])
    auth = try directory.read("root/etc/pam.d/common-auth")
    password = try directory.read("root/etc/pam.d/common-password")
    session = try directory.read("root/etc/pam.d/common-session")
    sessionNoninteractive = try directory.read("root/etc/pam.d/common-session-noninteractive")
  }

  /// `common-auth` after the profile has been removed again.
  func authWithoutProfile() throws -> String {
    try ComposedStack.update(directory, ["--remove", "signet"])
    return try directory.read("root/etc/pam.d/common-auth")
  }

  /// What pam_authenticate answers on this stack where our module answers `signet` and pam_unix answers `unix`, both in
  /// pam_debug's words; a module that cannot be loaded where `signet` is nil.
  func authenticate(signet: String?, unix: String) throws -> Int32 {
    let ours = signet.map { "pam_debug.so auth=\($0)" } ?? "/nonexistent/pam_signet.so"
    let stack = auth.split(separator: "\n").map { line in
      guard !line.hasPrefix("#"), let module = line.range(of: "pam_unix.so") else {
        return line.replacing("pam_signet.so", with: ours)
      }
      return line[..<module.lowerBound] + "pam_debug.so auth=\(unix)"
    }
    try directory.makeDirectory("stack")
    // Debian's libpam takes an @include from /etc/pam.d even in a private directory, so it is written out here.
    let service = try String(contentsOfFile: "\(Checkout.path)/pam/signet-passcode", encoding: .utf8)
    let written = service.replacing("@include common-auth", with: stack.joined(separator: "\n"))
      .replacing("@include common-account", with: "account required pam_permit.so")
    guard !written.contains("@include") else { throw Failure(what: "signet-passcode includes something new") }
    try directory.write(written, to: "stack/signet-passcode")
    return ComposedStack.call(confdir: "\(directory.path)/stack") { pam_authenticate($0, Int32(PAM_SILENT)) }
  }

  /// What pam_chauthtok answers where our module answers `signet` in both passes, and pam_unix `unix` in the second.
  func changePasscode(signet: String?, unix: String) throws -> Int32 {
    let ours = signet.map { "pam_debug.so prechauthtok=\($0) chauthtok=\($0)" } ?? "/nonexistent/pam_signet.so"
    let stack = password.split(separator: "\n").map { line in
      guard !line.hasPrefix("#"), let module = line.range(of: "pam_unix.so") else {
        return line.replacing("pam_signet.so", with: ours)
      }
      return line[..<module.lowerBound] + "pam_debug.so prechauthtok=success chauthtok=\(unix)"
    }
    try directory.makeDirectory("stack")
    try directory.write(stack.joined(separator: "\n") + "\n", to: "stack/signet-passcode")
    return ComposedStack.call(confdir: "\(directory.path)/stack") { pam_chauthtok($0, Int32(PAM_SILENT)) }
  }

  private static func call(confdir: String, _ call: (OpaquePointer) -> Int32) -> Int32 {
    // pam_debug tells what it answers; nobody is there to be asked anything.
    let listen: PAMConversation = { count, _, responses, _ in
      let empty = calloc(Int(count), MemoryLayout<pam_response>.stride)
      responses?.pointee = empty?.bindMemory(to: pam_response.self, capacity: Int(count))
      return PAM_SUCCESS
    }
    var conversation = pam_conv(conv: listen, appdata_ptr: nil)
    var handle: OpaquePointer?
    guard pam_start_confdir("signet-passcode", "root", &conversation, confdir, &handle) == PAM_SUCCESS, let handle else {
      return PAM_SYSTEM_ERR
    }
    let answer = call(handle)
    _ = pam_end(handle, answer)
    return answer
  }

  /// Puts a module there under the name of fprintd's.
  func install(fprintd module: String) throws {
    try directory.makeDirectory("root/modules")
    try directory.write(module, to: "root/modules/pam_fprintd.so")
  }

  /// What `make uninstall` does first, with this root; `edit` changes `common-auth` before.
  func beforeUninstall(editing edit: (String) -> String = { $0 }) throws -> Command {
    try directory.write(edit(try directory.read("root/etc/pam.d/common-auth")), to: "root/etc/pam.d/common-auth")
    let root = "\(directory.path)/root"
    return try Command(
      "\(Checkout.path)/.ci/before-uninstall", ["\(root)/units", "/modules", root],
      environment: ComposedStack.environment(directory))
  }

  func names(_ module: String) throws -> Bool { try directory.read("root/etc/pam.d/common-auth").contains(module) }

  private static func update(_ directory: TemporaryDirectory, _ arguments: [String]) throws {
    let update = try Command(
      "/usr/sbin/pam-auth-update", ["--root", "\(directory.path)/root"] + arguments, environment: environment(directory))
    guard update.status == 0 else { throw Failure(what: "pam-auth-update: \(update.output)") }
  }

  private static func environment(_ directory: TemporaryDirectory) -> [String: String] {
    [
      "DEBCONF_SYSTEMRC": "\(directory.path)/debconf.conf", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C",
      "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    ]
  }

  /// pam-auth-update keeps its answers in debconf's database: this one is private.
  private static func debconf(_ path: String) -> String {
    let database = { (name: String) in "Name: \(name)\nDriver: File\nMode: 644\nFilename: \(path)/database/\(name).dat\n" }
    return "Config: config\nTemplates: templates\n\n\(database("config"))\n\(database("templates"))"
  }
}

/// What could not be set up.
struct Failure: Error {
  let what: String
}
