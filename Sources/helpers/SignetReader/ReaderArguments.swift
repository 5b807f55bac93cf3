/// A virtual reader that signetd's configuration allows. libfprint listens at `path`, and tests send fingers to it.
struct VirtualReaderArgument: Equatable {
  enum Kind: String {
    case device, storage, image

    /// The environment variables in which libfprint's driver looks for its sockets. It has two kinds of reader with storage;
    /// the second cannot list its prints.
    var variables: [String] {
      switch self {
      case .device: ["FP_VIRTUAL_DEVICE"]
      case .storage: ["FP_VIRTUAL_DEVICE_STORAGE", "FP_VIRTUAL_DEVICE_STORAGE_NO_LIST"]
      case .image: ["FP_VIRTUAL_IMAGE"]
      }
    }

    var driver: String {
      switch self {
      case .device: "virtual_device"
      case .storage: "virtual_device_storage"
      case .image: "virtual_image"
      }
    }
  }

  var kind: Kind
  var path: String
  /// The variable that names `path` to libfprint.
  var variable: String
}

/// The command line: `[--user NAME] [--virtual-reader KIND=PATH]... [--emulation]`.
struct ReaderArguments: Equatable {
  /// The user to become; `nil` to stay the user who started it.
  var user: String?
  var virtualReaders: [VirtualReaderArgument] = []
  /// For recorded readers: drivers use the fixed values of the recording, and umockdev's environment variables are kept.
  var emulation = false

  struct Refusal: Error { var explanation: String }

  init(parsing words: [String]) throws(Refusal) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--user":
        guard let name = rest.popFirst(), !name.isEmpty else { throw Refusal(explanation: "--user needs a name") }
        user = name == "root" ? nil : name
      case "--virtual-reader":
        guard let reader = rest.popFirst() else { throw Refusal(explanation: "--virtual-reader needs KIND=PATH") }
        try add(virtualReader: reader)
      case "--emulation": emulation = true
      default: throw Refusal(explanation: "unknown argument \(word)")
      }
    }
  }

  private mutating func add(virtualReader word: String) throws(Refusal) {
    guard let equals = word.firstIndex(of: "="), let kind = VirtualReaderArgument.Kind(rawValue: String(word[..<equals]))
    else { throw Refusal(explanation: "--virtual-reader needs device=PATH, storage=PATH or image=PATH") }
    let path = String(word[word.index(after: equals)...])
    guard path.hasPrefix("/") else { throw Refusal(explanation: "a virtual reader's path is absolute") }
    let count = virtualReaders.count { $0.kind == kind }
    guard count < kind.variables.count else {
      throw Refusal(explanation: "libfprint has no further virtual reader of kind \(kind.rawValue)")
    }
    virtualReaders.append(VirtualReaderArgument(kind: kind, path: path, variable: kind.variables[count]))
  }
}
