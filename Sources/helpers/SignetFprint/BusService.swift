import CBus
import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBusProgram
  import SignetClient
  import SignetVocabulary
  import SignetWire
#endif

/// The bus on one side, signetd on the other, for as long as somebody needs it.
final class BusService {
  /// What a question is asked for.
  enum Purpose {
    case readers
    case list(OpaquePointer, device: Int)
    case claim(OpaquePointer, device: Int, DeviceUse.Claim, watch: UnsafeMutableRawPointer, holder: DeviceUse.Claim? = nil)
    case verification(device: Int, VerifyRequest, Sender)
    case change(device: Int)
  }

  /// A reader, under the number that its path has as long as this process lives.
  struct Device {
    var description: ReaderDescription
    var isThere = true
    var use = DeviceUse()
    /// Tells when the claimer leaves the bus.
    var watch: UnsafeMutableRawPointer?
    var isNeeded = false
    var verification: Verification?
    var change: Change?
  }

  /// A VerifyStart, until VerifyStop.
  struct Verification {
    var course = VerifyCourse()
    /// The call, until it is answered.
    var call: OpaquePointer?
    var finger: String
  }

  /// How long what is known of the readers is new, in milliseconds.
  private static let freshness: Int64 = 1_000
  /// How long a finger is waited for before signetd is asked again, in seconds: until the client stops it.
  static let touchTimeout: UInt16 = 3600

  let socket: String
  var devices: [Device] = []
  var questions: [PendingQuestion] = []
  var shares = AskingShares()
  /// What polkit was asked last.
  var lastQuestion: UInt32 = 0
  /// Calls that wait for the readers to be listed.
  private var awaitingReaders: [(method: cbus_method, call: OpaquePointer)] = []
  private var found: [ReaderDescription] = []
  private var listed: Int64 = -BusService.freshness
  var lastUse = Clock.milliseconds()

  private init(socket: String) { self.socket = socket }

  // sd-bus calls back without a context of ours.
  nonisolated(unsafe) private static var only: BusService?

  static func run(_ arguments: BusArguments) -> Int32 {
    let service = BusService(socket: arguments.socket)
    only = service
    var handlers = cbus_handlers(
      called: { method, device, sender, word, call in
        BusService.only?.called(method, Int(device), String(cString: sender), String(cString: word), call)
      },
      described: { device, properties in BusService.only?.describe(Int(device), into: properties) ?? false },
      left: { name in BusService.only?.left(String(cString: name)) },
      authorized: { question, isAuthorized in BusService.only?.authorized(question, isAuthorized) })
    let failure = cbus_open(arguments.bus, &handlers)
    guard failure == 0 else {
      log(.error, "no name on the bus at \(arguments.bus): \(strerror(failure).map { String(cString: $0) } ?? "")")
      return 1
    }
    // Whoever started this process may name a device from its last life.
    service.listReaders()
    while !service.questions.isEmpty { service.wait(for: false, within: 1_000) }
    return service.serve(idleExit: arguments.idleExit * 1_000)
  }

  private func serve(idleExit: Int64) -> Int32 {
    while true {
      guard cbus_process() else {
        log(.error, "the bus closed the connection")
        return 1
      }
      let rest = lastUse + idleExit - Clock.milliseconds()
      if isIdle, rest <= 0 {
        cbus_release_name()
        guard cbus_process() else { return 1 }
        // What came at the last moment is still answered.
        while !questions.isEmpty { wait(for: true, within: 200) }
        cbus_flush()
        return 0
      }
      wait(for: true, within: questions.isEmpty ? (isIdle ? Int32(clamping: max(0, rest)) : -1) : 200)
    }
  }

  private var isIdle: Bool { questions.isEmpty && !devices.contains { $0.use.claim != nil } }

  /// Sleeps until the bus, where it is listened to, or signetd says something.
  private func wait(for bus: Bool, within limit: Int32) {
    var watched = questions.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var pause = limit
    if bus {
      watched.append(pollfd(fd: cbus_descriptor(), events: cbus_events(), revents: 0))
      let due = cbus_timeout()
      if due >= 0 { pause = pause < 0 ? due : min(pause, due) }
    }
    _ = poll(&watched, nfds_t(watched.count), pause)
    for question in questions { for news in question.step() { take(news, of: question) } }
  }

  // MARK: Questions to signetd

  /// Asks signetd in the sender's name, at the payer's cost, who is the sender unless another is named; false where it cannot be asked now.
  @discardableResult
  func ask(_ request: AdministrationRequest, of sender: Sender?, payer: UInt32? = nil, for purpose: Purpose) -> Bool {
    let payer = payer ?? sender?.identity.uid
    if let payer, !shares.take(payer, at: Clock.milliseconds()) { return false }
    guard let question = PendingQuestion(request, of: sender, payer: payer, for: purpose, at: socket) else {
      if let payer { shares.giveBack(payer) }
      return false
    }
    questions.append(question)
    return true
  }

  /// It is answered, or not asked any more.
  func forget(_ question: PendingQuestion) {
    guard questions.contains(where: { $0 === question }) else { return }
    questions.removeAll { $0 === question }
    if let payer = question.payer { shares.giveBack(payer) }
    lastUse = Clock.milliseconds()
  }

  private func take(_ news: PendingQuestion.News, of question: PendingQuestion) {
    // It may have been forgotten since it was asked.
    guard questions.contains(where: { $0 === question }) else { return }
    switch question.purpose {
    case .readers: takeReaders(news, of: question)
    case .list(let call, let device): takeFinger(news, of: question, call, device)
    case .claim(let call, let device, let claim, let watch, let holder):
      takeClaim(news, of: question, call, device, claim, watch, holder: holder)
    case .change(let device): takeChange(news, of: question, device)
    case .verification(let device, let request, let sender): takeTouch(news, of: question, device, request, sender)
    }
  }

  // MARK: The readers

  private func listReaders() {
    guard !questions.contains(where: { if case .readers = $0.purpose { true } else { false } }) else { return }
    found = []
    if !ask(.readers, of: nil, for: .readers) { readersListed(isWhole: false) }
  }

  private func takeReaders(_ news: PendingQuestion.News, of question: PendingQuestion) {
    switch news {
    case .row(.reader(let reader)): if found.count < 64 { found.append(reader) }
    case .done:
      forget(question)
      readersListed(isWhole: true)
    case .refused, .failed, .evaluated:
      forget(question)
      readersListed(isWhole: false)
    case .row, .shown, .passcodeWanted: break
    }
  }

  private func readersListed(isWhole: Bool) {
    if isWhole { listed = Clock.milliseconds() }
    // Where signetd did not say, what was known stands.
    if isWhole { keepFound() }
    let calls = awaitingReaders
    awaitingReaders = []
    for (method, call) in calls { answerReaders(method, call) }
  }

  private func keepFound() {
    for index in devices.indices {
      let now = found.first { $0.identifier == devices[index].description.identifier }
      if let now { devices[index].description = now }
      let wasThere = devices[index].isThere
      devices[index].isThere = now != nil
      if wasThere, now == nil {
        endClaim(index)
        cbus_tell_removed(UInt32(index))
      } else if !wasThere, now != nil {
        cbus_tell_added(UInt32(index))
      }
    }
    for reader in found where !devices.contains(where: { $0.description.identifier == reader.identifier }) {
      guard devices.count < 64 else { break }
      devices.append(Device(description: reader))
      cbus_tell_added(UInt32(devices.count - 1))
    }
  }

  private func answerReaders(_ method: cbus_method, _ call: OpaquePointer) {
    let numbers = devices.indices.filter { devices[$0].isThere }.map { UInt32($0) }
    if method == CBUS_GET_DEVICES {
      numbers.withUnsafeBufferPointer { numbers in
        var none: UInt32 = 0
        if let first = numbers.baseAddress {
          cbus_answer_devices(call, first, numbers.count)
        } else {
          cbus_answer_devices(call, &none, 0)
        }
      }
    } else if let first = numbers.first {
      cbus_answer_device(call, first)
    } else {
      refuse(call, .noReader)
    }
  }

  private func describe(_ number: Int, into properties: UnsafeMutablePointer<cbus_device>) -> Bool {
    guard devices.indices.contains(number), devices[number].isThere else { return false }
    let device = devices[number]
    properties.pointee.name = UnsafePointer(BusService.nameBuffer.fill(device.description.name))
    properties.pointee.scan_type = device.description.isSwipe ? BusService.swipe.pointer : BusService.press.pointer
    // Always, and not only while it is claimed: some clients ask once and keep it.
    properties.pointee.enroll_stages = Int32(device.description.enrollStages)
    properties.pointee.is_finger_present = false
    properties.pointee.is_finger_needed = device.isNeeded
    return true
  }

  private static let swipe = BusText("swipe")
  private static let press = BusText("press")
  nonisolated(unsafe) private static let nameBuffer = BusTextBuffer()

  // MARK: Calls

  private func called(_ method: cbus_method, _ number: Int, _ sender: String, _ word: String, _ call: OpaquePointer) {
    lastUse = Clock.milliseconds()
    if method == CBUS_GET_DEVICES || method == CBUS_GET_DEFAULT_DEVICE {
      if lastUse - listed < BusService.freshness { return answerReaders(method, call) }
      guard awaitingReaders.count < 256 else { return refuse(call, .crowded) }
      awaitingReaders.append((method, call))
      return listReaders()
    }
    guard devices.indices.contains(number), devices[number].isThere else { return refuse(call, .noReader) }
    do throws(BusError) {
      if try !serve(method, number, sender, word, call) { cbus_answer(call) }
    } catch { refuse(call, error) }
  }

  /// Whether the call is answered later.
  private func serve(
    _ method: cbus_method, _ number: Int, _ sender: String, _ word: String, _ call: OpaquePointer
  ) throws(BusError) -> Bool {
    switch method {
    case CBUS_LIST_ENROLLED_FINGERS:
      guard ask(.list(user: word), of: try self.sender(sender), for: .list(call, device: number)) else { throw .crowded }
      return true
    case CBUS_CLAIM:
      try startClaim(number, sender, word, call)
      return true
    case CBUS_RELEASE:
      try devices[number].use.release(by: sender)
      endClaim(number)
      return false
    case CBUS_VERIFY_START:
      try startVerification(number, sender, word, call)
      return true
    case CBUS_VERIFY_STOP:
      try devices[number].use.stop(.verify, for: sender)
      endVerification(number)
      return false
    case CBUS_ENROLL_STOP:
      try devices[number].use.stop(.enroll, for: sender)
      endChange(number)
      return false
    case CBUS_ENROLL_START:
      try startEnrolling(number, sender, word, call)
      return true
    case CBUS_DELETE_ENROLLED_FINGERS:
      // An older form, for which nothing needs to be claimed.
      if devices[number].use.claim != nil { _ = try devices[number].use.claim(of: sender) }
      try startDeleting(number, nil, of: word, for: try self.sender(sender), call)
      return true
    case CBUS_DELETE_ENROLLED_FINGERS2:
      let claim = try devices[number].use.claim(of: sender)
      try startDeleting(number, nil, of: claim.user, for: claim.sender, call)
      return true
    default:
      let claim = try devices[number].use.claim(of: sender)
      guard let finger = Finger(name: word) else { throw .badFinger }
      try startDeleting(number, finger, of: claim.user, for: claim.sender, call)
      return true
    }
  }

  /// Who sent a message, as the bus says. The moment is taken first: whoever has the number of a sender that ended began after it.
  func sender(_ name: String) throws(BusError) -> Sender {
    let seen = bootMilliseconds()
    var sender = cbus_sender()
    guard cbus_sender(name, &sender), sender.pid > 0 else { throw BusError(.permissionDenied, "The bus does not say who asks.") }
    return Sender(name: name, identity: BusSender(uid: sender.uid, pid: UInt32(sender.pid), seen: UInt64(max(0, seen))))
  }

  func refuse(_ call: OpaquePointer, _ error: BusError) {
    cbus_refuse(call, BusText(error.name.text).pointer, error.sentence)
  }
}

extension BusError {
  /// What signetd refuses.
  init(_ refusal: Refusal) {
    switch refusal {
    case .otherUser, .permissionDenied, .unknownUID: self = .otherUser
    case .unknownUser, .notEnrolled: self = .noFinger
    case .readerBusy: self = .busy
    case .locked: self = .locked
    default: self = BusError(.internal, "Signet refuses: see its log.")
    }
  }
}

/// Since boot with the time asleep, in milliseconds, as /proc tells when a process began.
func bootMilliseconds() -> Int64 {
  var now = timespec()
  guard clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
  return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
}
