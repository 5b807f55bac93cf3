import Glibc
import SignetFiles
import SignetWords

/// A QR code on a terminal, by libqrencode, which is loaded when it is needed: without it there is the code as text, which is enough.
enum QRCode {
  /// Shows a text as a code where standard error is a terminal that shows UTF-8 and is wide enough.
  static func show(_ text: String) {
    guard isatty(STDERR_FILENO) == 1, isUTF8, let code = modules(of: text), fits(code.count + 2 * quiet) else { return }
    Report.writeError(lines(code) + "\n")
  }

  /// The margin that readers want (ISO/IEC 18004).
  private static let quiet = 4

  /// Two rows of modules in each line of text, light on dark: half blocks are as wide as they are high.
  static func lines(_ code: [[Bool]]) -> String {
    let width = code.count + 2 * quiet
    func isDark(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - quiet, column - quiet)
      return code.indices.contains(row) && code.indices.contains(column) && code[row][column]
    }
    return stride(from: 0, to: width, by: 2).map { row in
      let cells = (0..<width).map { column -> String in
        switch (isDark(row, column), row + 1 >= width || isDark(row + 1, column)) {
        case (false, false): "\u{2588}"
        case (false, true): "\u{2580}"
        case (true, false): "\u{2584}"
        case (true, true): " "
        }
      }
      return cells.joined()
    }.joined(separator: "\n")
  }

  private static var isUTF8: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { (name: String) -> String? in
      unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    return set.first.map { $0.lowercased().hasSuffix("utf-8") || $0.lowercased().hasSuffix("utf8") } ?? false
  }

  private static func fits(_ width: Int) -> Bool {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return false }
    return size.ws_col == 0 || Int(size.ws_col) >= width
  }

  /// As the library has it.
  @unsafe private struct Code {
    var version: Int32
    var width: Int32
    var data: UnsafeMutablePointer<UInt8>?
  }

  /// Dark modules, row by row; `nil` where the library is missing or the text is too long for a code.
  static func modules(of text: String) -> [[Bool]]? {
    typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
    typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
    guard let library = unsafe dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL),
      let encode = unsafe dlsym(library, "QRcode_encodeString"), let release = unsafe dlsym(library, "QRcode_free")
    else { return nil }
    let encodeString = unsafe unsafeBitCast(encode, to: Encode.self)
    let free = unsafe unsafeBitCast(release, to: Free.self)
    // The smallest version, level M, bytes, with small letters.
    guard let result = unsafe encodeString(text, 0, 1, 2, 1) else { return nil }
    defer { unsafe free(result) }
    let code = unsafe result.assumingMemoryBound(to: Code.self).pointee
    let width = unsafe Int(code.width)
    guard let data = unsafe code.data, (1...177).contains(width) else { return nil }
    return (0..<width).map { row in (0..<width).map { unsafe data[row * width + $0] & 1 == 1 } }
  }
}

/// The desktop's browser.
enum Browser {
  /// Opens a page, and does not wait: what comes of it the provider tells the agent. Without a desktop there is the page as text.
  ///
  /// - Returns: what is to be removed when that is known.
  static func open(_ address: String) -> LeadingPage? {
    let desktops = ["WAYLAND_DISPLAY", "DISPLAY", "BROWSER"]
    guard desktops.contains(where: { (name: String) in unsafe getenv(name) != nil }), let page = LeadingPage(to: address) else {
      return nil
    }
    start(page.path)
    return page
  }

  private static func start(_ file: String) {
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return }
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for number: Int32 in [0, 1, 2] {
      _ = unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("xdg-open"), strdup(file), nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var pid: pid_t = 0
    _ = unsafe posix_spawnp(&pid, "xdg-open", &actions, nil, &arguments, environ)
  }
}
