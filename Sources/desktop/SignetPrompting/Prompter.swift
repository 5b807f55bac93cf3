import CGio
import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetMemory
  import SignetPinentry
  import SignetVocabulary
#endif

/// Everything that signet-prompt listens to, and what it does about it, on the thread of the GLib loop. Lives as long as the
/// process.
final class Prompter {
  private var signetd: Signetd
  /// A pipe whose other end the caller holds.
  private let caller: Int32
  private var state: PromptState
  private var notification: DesktopNotification?
  /// The one that asks.
  private var pinentry: Pinentry?
  /// The one that has its answer, while that is looked at.
  private var answered: Pinentry?
  /// GLib's watch of what pinentry says; 0: none.
  private var pinentryWatch: guint = 0
  private var lastHeard = g_get_monotonic_time()
  private let loop = g_main_loop_new(nil, 0)!
  private var status = PromptStatus.handedBack
  private var isEnding = false

  /// How long signetd may say nothing while it is its turn, in microseconds: the caller gives it up sooner, but does not look.
  private static let silence: gint64 = 5_000_000

  init(_ signetd: consuming Signetd, caller: Int32, _ arguments: PromptArguments) {
    self.signetd = signetd
    self.caller = caller
    state = PromptState(arguments)
  }

  /// Returns when there is nothing more for the user.
  func run(bus: String?) -> PromptStatus {
    watch(signetd.descriptor) { prompter in prompter.listen() }
    watch(caller) { prompter in prompter.take(.callerGone) }
    g_timeout_add_seconds(
      1,
      { context in
        Prompter.at(context).checkSilence()
        return 1
      }, context)
    for signal in [SIGHUP, SIGINT, SIGTERM] { cancel(at: signal) }
    notification = DesktopNotification { [self] event in
      switch event {
      case .available(let isThere): take(.notifications(areThere: isThere))
      case .chosen(let button): take(.chosen(button))
      case .dismissed: take(.dismissed)
      }
    }
    notification?.connect(to: bus)
    g_main_loop_run(loop)
    return status
  }

  // MARK: What happens

  private func listen() {
    while !isEnding {
      switch signetd.next() {
      case .nothing: return
      case .heartbeat: lastHeard = g_get_monotonic_time()
      case .event(let event):
        lastHeard = g_get_monotonic_time()
        take(event)
      }
    }
  }

  /// A signetd that is stopped is the caller's to give up.
  private func checkSilence() {
    listen()
    if pinentry == nil, g_get_monotonic_time() - lastHeard > Prompter.silence { take(.over) }
  }

  private func pinentrySaid() {
    guard pinentry != nil, let answer = pinentry!.step() else { return }
    stopWatchingPinentry()
    answered = pinentry.take()
    take(.answered(answer))
    answered = nil
  }

  /// Whoever ends this process ends the question, too: nobody would see it any more.
  private func cancel(at signal: Int32) {
    g_unix_signal_add(
      signal,
      { context in
        Prompter.at(context).take(.dismissed)
        return 1
      }, context)
  }

  private func take(_ event: PromptState.Event) {
    for action in state.take(event) { act(action) }
  }

  // MARK: What is done

  private func act(_ action: PromptState.Action) {
    switch action {
    case .notify(let card): notification?.show(card)
    case .withdraw: notification?.withdraw()
    case .ask(let question): ask(question)
    case .send(let kind): signetd.send(kind)
    case .sendPasscode: sendPasscode()
    case .end(let status): end(status)
    }
  }

  private func ask(_ question: PinentryQuestion) {
    endPinentry()
    guard let program = PinentryProgram.path(), let started = try? Pinentry(question, program: program) else {
      return take(.answered(.unavailable))
    }
    pinentryWatch = watch(started.descriptor) { prompter in prompter.pinentrySaid() }
    pinentry = consume started
  }

  private func sendPasscode() {
    guard let answered = answered.take() else { return }
    let passcode = answered.takeSecret()
    guard (1...FieldLimit.passcode).contains(passcode.count) else {
      return take(.notAPasscode(isEmpty: passcode.count == 0))
    }
    lastHeard = g_get_monotonic_time()
    signetd.send(passcode: passcode)
  }

  private func endPinentry() {
    stopWatchingPinentry()
    pinentry = nil
  }

  private func stopWatchingPinentry() {
    if pinentryWatch != 0 { g_source_remove(pinentryWatch) }
    pinentryWatch = 0
  }

  /// From here on nothing is read from signetd: it is the caller's.
  private func end(_ status: PromptStatus) {
    guard !isEnding else { return }
    isEnding = true
    self.status = status
    endPinentry()
    guard let notification else { return g_main_loop_quit(loop) }
    notification.withdraw { [loop] in g_main_loop_quit(loop) }
  }

  // MARK: GLib

  private final class Watch {
    let prompter: Prompter
    let happened: (Prompter) -> Void

    init(_ prompter: Prompter, _ happened: @escaping (Prompter) -> Void) {
      self.prompter = prompter
      self.happened = happened
    }
  }

  /// Calls `happened` while there is something to read from a descriptor, or it has no other end any more.
  @discardableResult
  private func watch(_ descriptor: Int32, _ happened: @escaping (Prompter) -> Void) -> guint {
    let conditions = GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
    return g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, descriptor, conditions,
      { _, _, context in
        let watch = Unmanaged<Watch>.fromOpaque(context!).takeUnretainedValue()
        guard !watch.prompter.isEnding else { return 0 }
        watch.happened(watch.prompter)
        return watch.prompter.isEnding ? 0 : 1
      }, Unmanaged.passRetained(Watch(self, happened)).toOpaque(),
      { context in Unmanaged<Watch>.fromOpaque(context!).release() })
  }

  private var context: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: gpointer?) -> Prompter {
    Unmanaged<Prompter>.fromOpaque(context!).takeUnretainedValue()
  }
}
