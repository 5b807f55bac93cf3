import CLinux
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonService
@testable import DaemonAudit
@testable import SignetDaemon

@Suite struct JournalTests {
  private let folder = try! TemporaryFolder()
  private var path: String { folder.path + "/journal" }

  private func requester(service: String = "sudo", terminal: String = "pts/0", program: String = "/usr/bin/sudo") -> Requester {
    var process = PeerProcess()
    process.program = program
    process.session = 7
    process.loginUser = 1000
    return Requester(peer: Peer(pid: 4711, uid: 0), process: process, service: service, terminal: terminal)
  }

  private func fields(_ event: Event, by requester: Requester) throws -> [JournalFields.Field] {
    try JournalFields.parse(event.entry(of: User(uid: geteuid()), by: requester).datagram)
  }

  @Test func `an event has its identifier, its facility, and who asked`() throws {
    let fields = try fields(.missed(strikes: 3), by: requester())
    let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    let user = try #require(User(uid: geteuid()))
    #expect(
      values == [
        "MESSAGE":
          "not recognised strikes=3 user=\(user.name) service=sudo tty=pts/0 pid=4711 uid=0 exe=/usr/bin/sudo audit_session=7 audit_loginuid=1000",
        "MESSAGE_ID": "b7130042cd764e2a9144b059230bf477", "PRIORITY": "4", "SYSLOG_FACILITY": "10",
        "SYSLOG_IDENTIFIER": "signetd", "OBJECT_PID": "4711", "SIGNET_STRIKES": "3", "SIGNET_USER": user.name,
        "SIGNET_SERVICE": "sudo", "SIGNET_TTY": "pts/0", "SIGNET_PID": "4711", "SIGNET_UID": "0",
        "SIGNET_EXE": "/usr/bin/sudo", "SIGNET_AUDIT_SESSION": "7", "SIGNET_AUDIT_LOGINUID": "1000",
      ])
  }

  private static let forgeries = [
    "sudo\nSIGNET_USER=root", "sudo\nMESSAGE_ID=8f767a65f1994fd79954af63918f7ab1\n", "a\0b",
    "\nMESSAGE\n\u{4}\0\0\0\0\0\0\0evil\n",
    "a=b", "a user=root", "\" user=root", "\u{1B}[2J", "\r\n", "\u{2028}", "\u{202E}toor", "\u{85}",
    String(repeating: "x", count: 70_000),
  ]

  @Test(arguments: forgeries) func `no name forges a field or a line`(name: String) throws {
    let usual = try fields(.missed(strikes: 3), by: requester()).map(\.name)
    for requester in [requester(service: name), requester(terminal: name), requester(program: name)] {
      let found = try fields(.missed(strikes: 3), by: requester)
      #expect(found.map(\.name) == usual)
      let line = Event.missed(strikes: 3).entry(of: nil, by: requester).line
      #expect(line.filter { $0 == 10 }.count == 1 && line.last == 10)
      #expect(line.allSatisfy { $0 >= 0x20 || $0 == 10 })
      // What follows a quote is no field: the only words that look like one are ours.
      let words = unquoted(String(decoding: line, as: UTF8.self)).split(separator: " ").filter { $0.contains("=") }
      #expect(words.count == 8, "\(words)")
    }
  }

  @Test(arguments: ForeignTextVector.all) func `foreign text is harmless in a line and in a datagram`(
    vector: ForeignTextVector
  ) throws {
    for requester in [requester(service: vector.text), requester(terminal: vector.text)] {
      let entry = Event.missed(strikes: 3).entry(of: nil, by: requester)
      let line = String(decoding: entry.line.dropLast(), as: UTF8.self)
      #expect(vector.expects(line), "\(line)")
      let values = try JournalFields.parse(entry.datagram).map(\.value)
      #expect(
        values.filter(vector.expects).count >= 2
          && !values.contains { $0.unicodeScalars.contains(where: vector.harmful.contains) })
    }
    let message = JournalEntry(level: .info, message: vector.text, fields: [("name", vector.text)])
    #expect(vector.expects(String(decoding: message.line.dropLast(), as: UTF8.self)))
    #expect(vector.expects(requester(service: vector.text).row.service))
  }

  /// The line without what stands between quotes.
  private func unquoted(_ line: String) -> String {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
      .map { String($0.element) }.joined()
  }

  @Test func `a value with a newline goes in the binary form`() throws {
    var bytes: [UInt8] = []
    JournalEntry.append("ONE", "a\nTWO=b\n", to: &bytes)
    JournalEntry.append("THREE", "c", to: &bytes)
    let fields = try JournalFields.parse(bytes)
    #expect(fields.map(\.name) == ["ONE", "THREE"])
    #expect(fields.map(\.value) == ["a\nTWO=b\n", "c"])
  }

  @Test func `every kind has an identifier of its own`() {
    let all = Event.Kind.allCases.map { EventEntry($0).identifier }
    #expect(Set(all).count == Event.Kind.allCases.count)
    for text in all { #expect(text.utf8.count == 32 && text.allSatisfy { "0123456789abcdef".contains($0) }) }
  }

  @Test func `an entry reaches the journal's socket, also after the journal was restarted`() throws {
    let journal = Journal(path: path)
    let entry = JournalEntry(level: .info, message: "hello")
    #expect(!journal.send(entry))
    for _ in 0..<2 {
      let fake = try FakeJournal(path: path)
      #expect(journal.send(entry))
      #expect(try fake.next().first { $0.name == "MESSAGE" }?.value == "hello")
    }
    #expect(!journal.send(entry))
  }

  @Test func `a journal that does not read holds nobody up, and is told later what it missed`() throws {
    let fake = try FakeJournal(path: path)
    let journal = Journal(path: path)
    let entry = JournalEntry(level: .info, message: "hello")
    // More than any queue takes: this test would not end if one of them waited.
    for _ in 0..<20_000 { #expect(journal.send(entry)) }
    while try fake.next(within: 0).isEmpty == false {}
    #expect(journal.send(entry))
    _ = try fake.next()
    let note = try fake.next()
    #expect(note.first { $0.name == "MESSAGE" }?.value.hasPrefix("log entries lost") == true)
    #expect(journal.send(entry))
    _ = try fake.next()
    #expect(try fake.next(within: 0).isEmpty)
  }
}

@Suite struct LineLogTests {
  private let ends: (reader: Int32, writer: Int32)

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(clinux_pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  /// What the pipe holds.
  private func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = Glibc.read(ends.reader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func `a pipe that nobody reads holds nobody up, and the next line says what was lost`() {
    let log = LineLog(ends.writer)
    let entry = JournalEntry(level: .info, message: "hello")
    // More than any pipe takes: this test would not end if one of them waited.
    for _ in 0..<20_000 { log.write(entry) }
    let kept = read().split(separator: "\n").count
    #expect(kept > 0 && kept < 20_000)
    log.write(entry)
    #expect(read() == "<6>signetd: hello\n<4>signetd: log entries lost: nobody read them count=\(20_000 - kept)\n")
    log.write(entry)
    #expect(read() == "<6>signetd: hello\n")
    for end in [ends.reader, ends.writer] { close(end) }
  }

  @Test func `a line that is longer than a pipe takes at once is cut`() {
    LineLog(ends.writer).write(JournalEntry(level: .error, message: String(repeating: "x", count: 10_000)))
    let line = read()
    #expect(line.utf8.count == 4096 && line.hasSuffix("x\n"))
    for end in [ends.reader, ends.writer] { close(end) }
  }
}

@Suite struct RequesterTests {
  @Test func `a process is known by its program and its audit session`() throws {
    let process = PeerProcess(of: getpid(), connected: bootMilliseconds())
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    #expect(process.program == String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  @Test func `a process that began after the connection is another's`() {
    #expect(PeerProcess(of: getpid(), connected: 1) == PeerProcess())
    #expect(PeerProcess(of: 0, connected: bootMilliseconds()) == PeerProcess())
  }

  @Test func `a long or strange name fits its row`() throws {
    var process = PeerProcess()
    process.program = "/" + String(repeating: "ä", count: 300)
    let requester = Requester(
      peer: Peer(pid: 1, uid: 0), process: process, service: String(repeating: "s", count: 500), terminal: "tty\n1")
    #expect(requester.row.program.utf8.count <= FieldLimit.program)
    #expect(requester.row.program.hasPrefix("/ä") && requester.row.program.contains("ä...ä"))
    #expect(requester.row.service.utf8.count <= FieldLimit.name)
    #expect(requester.row.terminal == "tty?1")
  }
}
