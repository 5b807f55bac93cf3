import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// Something that signetd was asked, until it is answered.
final class PendingQuestion {
  /// How long signetd may say nothing, in milliseconds.
  private static let silence: Int32 = 5_000

  /// What signetd says.
  enum News {
    case shown(Prompt, UInt8)
    case passcodeWanted
    case row(AdministrationReply)
    case done
    case refused(Refusal)
    case evaluated(Verdict)
    case failed
  }

  private var request: PendingRequest
  private var host = ShownHost()
  /// Whose place it takes; `nil` where nobody asked.
  let payer: UInt32?
  let purpose: BusService.Purpose
  /// The fingers that were named until now.
  private(set) var rows: [FingerRow] = []

  /// `nil` where it cannot be asked.
  init?(
    _ asked: AdministrationRequest, of sender: Sender?, payer: UInt32?, for purpose: BusService.Purpose, at socket: String
  ) {
    var terms = Exchange.Terms(silence: PendingQuestion.silence)
    if case .verify = asked { terms.ending = .evaluation }
    terms.passcodes = 1
    do throws(FormatError) {
      let packet = try PendingQuestion.packet(asked, of: sender)
      do throws(ClientError) { request = try PendingRequest(packet, to: socket, terms) } catch { return nil }
    } catch { return nil }
    self.payer = payer
    self.purpose = purpose
  }

  private static func packet(_ asked: AdministrationRequest, of sender: Sender?) throws(FormatError) -> SecretBytes {
    guard var packet = SecretBytes(capacity: PacketLimit.packet), var inner = SecretBytes(capacity: PacketLimit.packet) else {
      throw .tooLong
    }
    try asked.write(into: &inner)
    guard let sender else { return inner }
    try OnBehalfRequest(of: sender.identity, inner.span).write(into: &packet)
    return packet
  }

  func keep(_ row: FingerRow) { if rows.count < 640 { rows.append(row) } }

  /// For poll(2).
  var descriptor: Int32 { request.descriptor }

  /// Sees to what has come, without waiting.
  func step() -> [News] {
    do throws(ClientError) {
      let message = try request.step(&host, within: 0)
      var news: [News] = []
      if let shown = host.take() { news.append(.shown(shown.prompt, shown.value)) }
      switch message {
      case .evaluated(let reply): news.append(.evaluated(reply.verdict))
      case .reply: news.append(PendingQuestion.reply(request.packet))
      case nil: break
      case .passcodeWanted: news.append(.passcodeWanted)
      case .typed, .verdict: news.append(.failed)
      }
      return news
    } catch { return [.failed] }
  }

  /// Polkit consents; false where signetd is not there to be told.
  func consent() -> Bool {
    do throws(ClientError) {
      try request.askFinger()
      return true
    } catch { return false }
  }

  private static func reply(_ packet: borrowing SecretBytes) -> News {
    do throws(FormatError) {
      switch try AdministrationReply(parsing: packet.span) {
      case .done: return .done
      case .refused(let refusal): return .refused(refusal)
      case let row: return .row(row)
      }
    } catch { return .failed }
  }
}

/// Keeps what signetd shows for whoever asked.
private struct ShownHost: RequestHost {
  private var shown: (prompt: Prompt, value: UInt8)?

  func failure(_ error: ClientError) -> ClientError { error }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) throws(ClientError) { shown = (prompt, value) }

  mutating func take() -> (prompt: Prompt, value: UInt8)? {
    defer { shown = nil }
    return shown
  }
}
