/// A line of the auth stack that calls a module.
struct Entry: Sendable {
  /// Its place in the order in which libpam reads the lines, those of included files among them.
  var number: Int
  var place: FileLocation
  var control: Control
  var module: KnownModule
  var arguments: [String]
  /// The numbers of the substacks that it is in, the outermost first.
  var substacks: [Int]

  var kind: ModuleKind { module.kind }

  /// Whether it takes a passcode that was typed already, instead of asking again.
  var reusesPasscode: Bool {
    arguments.contains { ["use_first_pass", "try_first_pass", "use_authtok"].contains($0) }
  }
}

/// The auth stack of a service: its lines, and a copy of its files in which each module is replaced by a stand-in.
struct Stack: Sendable {
  var entries: [Entry] = []
  /// The copied files by name: `service`, `other`, and a number for each included file, once for each time it is included.
  var files: [String: [UInt8]] = [:]
  /// The files that it takes in as its own text, with @include.
  var fragments: Set<String> = []
  /// Whether the service has lines of the type auth; libpam takes those of `other` where it has none.
  var hasOwnAuth = false
  /// What is already wrong when it is read, before any run.
  var faults: [Fault] = []
  /// Where the service's own file is.
  var place: FileLocation
  /// Whether the service has a session stack, and our module in it.
  var hasSession = false
  var hasSignetSession = false
  var password = PasswordLines()
  /// Whether it has account lines, and which of them clears a count of wrong passcodes.
  var hasAccount = false
  var clearing: FileLocation?
}

/// Whether a service's password lines tell the vault of a changed passcode.
struct PasswordLines: Sendable {
  /// Whether a line changes the passcode.
  private(set) var changesPasscode = false
  /// Whether our module comes after such a line, and so learns of the change.
  private(set) var reachesSignet = false
  /// Whether a success has ended the stack already. Lines behind that point only run after a failure.
  private var isOver = false

  mutating func add(_ kind: ModuleKind, _ control: Control) {
    if kind == .signet, changesPasscode, !isOver { reachesSignet = true }
    guard kind == .passcode else { return }
    changesPasscode = true
    if control[.success] == .done { isOver = true }
  }
}

/// The lines of a service that libpam looks at for one kind of call.
enum LineType: String, Sendable {
  case auth, account, password, session

  init?(_ word: some Sequence<UInt8>) {
    self.init(rawValue: String(decoding: Array(word), as: UTF8.self).lowercased())
  }
}
