import CLinux
import CPAM
import Glibc

/// A program that authenticates somebody: one libpam transaction with a scripted conversation, in this process.
///
/// The conversation is strict: a question without a scripted answer fails, and `leftover` tells of answers that nobody
/// asked for. Use it from one thread at a time.
public final class PAMHost {
  /// How the conversation answers one question.
  public enum Answer: Equatable, Sendable {
    case text(String)
    /// Success without an answer.
    case nothing
    /// This many letters.
    case long(Int)
    /// This code, and no answer.
    case failure(Int32)
  }

  /// What the module said or asked.
  public struct Message: Equatable, Sendable {
    /// `PAM_TEXT_INFO`, `PAM_ERROR_MSG`, `PAM_PROMPT_ECHO_OFF`, `PAM_PROMPT_ECHO_ON`.
    public var style: Int32
    public var text: String
    /// On the monotonic clock, in microseconds.
    public var time: Int64
  }

  public private(set) var messages: [Message] = []
  public var answers: [Answer] = []
  /// Called for each message or question before it is answered.
  public var onMessage: ((PAMHost, Message) -> Void)?
  /// What messages, which need no answer, are acknowledged with.
  public var messageCode = PAM_SUCCESS

  /// What libpam's conversation gets: it exists before the host does.
  private final class Box { weak var host: PAMHost? }
  private let box: Box
  private var handle: OpaquePointer
  private var isEnded = false

  /// Answers that were not asked for.
  public var leftover: [Answer] { answers }

  /// Starts a transaction with the service file `service` in the folder `confdir`.
  public init(service: String, user: String?, confdir: String) throws {
    box = Box()
    var conversation = pam_conv(
      conv: { count, messages, responses, host in
        guard let host else { return PAM_CONV_ERR }
        return Unmanaged<Box>.fromOpaque(host).takeUnretainedValue().host?.converse(count, messages, responses) ?? PAM_CONV_ERR
      }, appdata_ptr: Unmanaged.passUnretained(box).toOpaque())
    var started: OpaquePointer?
    let code = pam_start_confdir(service, user, &conversation, confdir, &started)
    guard code == PAM_SUCCESS, let started else { throw TestKitError("pam_start_confdir: code \(code)") }
    handle = started
    box.host = self
  }

  deinit { end() }

  public func set(_ item: Int32, _ value: String?) { _ = pam_set_item(handle, item, value) }

  /// The text of an item; applications may not read `PAM_AUTHTOK`.
  public func item(_ item: Int32) -> String? {
    var value: UnsafeRawPointer?
    guard pam_get_item(handle, item, &value) == PAM_SUCCESS, let value else { return nil }
    return String(cString: value.assumingMemoryBound(to: CChar.self))
  }

  /// What the modules put into the session's environment, as `NAME=value`.
  public var environment: [String] {
    guard let list = pam_getenvlist(handle) else { return [] }
    defer { free(list) }
    var all: [String] = []
    var entry = list
    while let text = entry.pointee {
      all.append(String(cString: text))
      free(text)
      entry += 1
    }
    return all
  }

  public func authenticate(flags: Int32 = 0) -> Int32 { pam_authenticate(handle, flags) }
  public func setCredentials(flags: Int32 = Int32(PAM_ESTABLISH_CRED)) -> Int32 { pam_setcred(handle, flags) }
  public func manageAccount() -> Int32 { pam_acct_mgmt(handle, 0) }
  public func changePasscode(flags: Int32 = 0) -> Int32 { pam_chauthtok(handle, flags) }
  public func openSession() -> Int32 { pam_open_session(handle, 0) }
  public func closeSession() -> Int32 { pam_close_session(handle, 0) }

  public func end(_ code: Int32 = PAM_SUCCESS) {
    if !isEnded { _ = pam_end(handle, code) }
    isEnded = true
  }

  /// libpam's words for a code.
  public func name(of code: Int32) -> String { String(cString: pam_strerror(handle, code)) }

  private func converse(
    _ count: Int32, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
  ) -> Int32 {
    guard let messages, let responses, let all = calloc(Int(count), MemoryLayout<pam_response>.stride) else {
      return PAM_BUF_ERR
    }
    let answered = all.bindMemory(to: pam_response.self, capacity: Int(count))
    var code = PAM_SUCCESS
    for index in 0..<Int(count) where code == PAM_SUCCESS {
      guard let message = messages[index] else { continue }
      code = take(message.pointee, into: &answered[index])
    }
    guard code == PAM_SUCCESS else {
      for index in 0..<Int(count) { free(answered[index].resp) }
      free(all)
      return code
    }
    responses.pointee = answered
    return PAM_SUCCESS
  }

  private func take(_ message: pam_message, into response: inout pam_response) -> Int32 {
    let text = message.msg.map { String(cString: $0) } ?? ""
    let taken = Message(style: message.msg_style, text: text, time: PAMHost.microseconds())
    messages.append(taken)
    onMessage?(self, taken)
    guard message.msg_style == PAM_PROMPT_ECHO_OFF || message.msg_style == PAM_PROMPT_ECHO_ON else { return messageCode }
    guard !answers.isEmpty else { return PAM_CONV_ERR }
    switch answers.removeFirst() {
    case .text(let text): response.resp = strdup(text)
    case .nothing: response.resp = nil
    case .long(let count): response.resp = strdup(String(repeating: "x", count: count))
    case .failure(let code): return code
    }
    return PAM_SUCCESS
  }

  /// The monotonic clock.
  public static func microseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}

/// A folder of service files for `pam_start_confdir`, removed when the value ends.
public final class PAMConfiguration {
  public let path: String

  public init() throws {
    path = try makeTemporaryFolder("pam")
    // libpam wants one, and complains in the journal where there is none.
    try add("other", lines: ["auth", "account", "password", "session"].map { "\($0) required pam_deny.so" })
  }

  /// Writes a service with one line for each of the four kinds of call: `required`, and these words of the module.
  @discardableResult
  public func add(_ service: String, module: String? = nil, options: String = "") throws -> PAMConfiguration {
    let module = try module ?? ReaderChannel.program("libpam_signet.so")
    let kinds = ["auth", "account", "password", "session"]
    return try add(service, lines: kinds.map { "\($0) required \(module) \(options)" })
  }

  @discardableResult
  public func add(_ service: String, lines: [String]) throws -> PAMConfiguration {
    guard let file = fopen("\(path)/\(service)", "w") else { throw TestKitError("\(path)/\(service): \(clinux_errno())") }
    fputs(lines.joined(separator: "\n") + "\n", file)
    fclose(file)
    return self
  }

  deinit { removeTree(path) }
}
