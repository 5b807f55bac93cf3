import Foundation
import LocalAuthentication
import Security
import Synchronization

private let contexts = 1_000
private let threads = 100

/// How many contexts there are, what answers came, and how often there was no place in signetd.
private let alive = Atomic(0)
private let asked = Atomic(0)
private let turnedAway = Atomic(0)

private final class Counted: LAContext, @unchecked Sendable {
  override init() {
    super.init()
    alive.add(1, ordering: .relaxed)
  }
  deinit { alive.subtract(1, ordering: .relaxed) }
}

/// A context that all threads use.
private let common = LAContext()

/// Runs it all, and prints what was left behind since the first round.
func crowd(turns: Int) async {
  common.interactionNotAllowed = true
  await round(turns)
  let before = (descriptors(), taskCount())
  for _ in 1...2 { await round(turns) }
  let deadline = ContinuousClock.now + .seconds(20)
  // A thread ends a moment after its last word, and has its context until then.
  while taskCount() > before.1 || descriptors() > before.0, .now < deadline { sched_yield() }
  let left = (descriptors() - before.0, max(0, taskCount() - before.1))
  print("left descriptors \(left.0) threads \(left.1) contexts \(alive.load(ordering: .relaxed))")
  print("answers \(asked.load(ordering: .relaxed)) without a place \(turnedAway.load(ordering: .relaxed))")
}

private func round(_ turns: Int) async {
  manyContexts()
  await withDiscardingTaskGroup { group in
    for number in 0..<threads { group.addTask { await cancelled(number) } }
  }
  manyThreads(turns)
}

/// A thousand at once; some were asked something.
private func manyContexts() {
  let all = (0..<contexts).map { number in
    let context = Counted()
    context.localizedReason = "\(number)"
    return context
  }
  for context in all.prefix(20) { check(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) ? 0 : -6) }
  for context in all.suffix(contexts / 2) { context.invalidate() }
}

private func manyThreads(_ turns: Int) {
  final class Work {
    let number: Int, turns: Int
    init(_ number: Int, _ turns: Int) { (self.number, self.turns) = (number, turns) }
  }
  let all = (0..<threads).map { number in
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(number, turns)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { work in
        guard let work else { return nil }
        let mine = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
        for turn in 0..<mine.turns { use(mine.number, turn) }
        return nil
      }, work)
    guard code == 0 else { fatalError("no thread: \(code)") }
    return thread
  }
  for thread in all { pthread_join(thread, nil) }
}

/// What a thread does in one turn.
private func use(_ number: Int, _ turn: Int) {
  let context = Counted()
  context.interactionNotAllowed = true
  switch (number + turn) % 6 {
  case 0: check(code { context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: $0) })
  case 1: evaluate(context)
  case 2: evaluate(context) { context.invalidate() }
  case 3: check(copy("common", context))
  case 4: check(addAndDelete("own-\(number)-\(turn)"))
  default:
    check(code { common.canEvaluatePolicy(.deviceOwnerAuthentication, error: $0) })
    check(copy("common", common))
    evaluate(common)
  }
}

private func code(_ ask: (NSErrorPointer) -> Bool) -> Int {
  var error: NSError?
  return ask(&error) ? 0 : error?.code ?? 1
}

/// Waits for the reply; `meanwhile` is done once the evaluation has begun.
private func evaluate(_ context: LAContext, _ meanwhile: () -> Void = {}) {
  let replied = DispatchSemaphore(value: 0)
  context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "the crowd") { isDone, error in
    check(isDone ? 0 : (error as? LAError)?.code.rawValue ?? 1)
    replied.signal()
  }
  meanwhile()
  replied.wait()
}

/// An evaluation whose task is ended at once.
private func cancelled(_ number: Int) async {
  let task = Task {
    let context = Counted()
    context.interactionNotAllowed = true
    do { check(try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "the crowd") ? 0 : 1) } catch {
      check((error as? LAError)?.code.rawValue ?? 1)
    }
  }
  if number % 2 == 0 { task.cancel() }
  await task.value
}

private func copy(_ name: String, _ context: LAContext) -> Int {
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecReturnData: true, kSecUseAuthenticationContext: context,
  ]
  var item: CFTypeRef?
  return Int(SecItemCopyMatching(query as CFDictionary, &item))
}

private func addAndDelete(_ name: String) -> Int {
  var item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
  ]
  item[kSecValueData] = Data(name.utf8)
  let added = Int(SecItemAdd(item as CFDictionary, nil))
  item[kSecValueData] = nil
  let deleted = Int(SecItemDelete(item as CFDictionary))
  return added == 0 ? deleted : added
}

/// What may come of it: nobody proves anything here, and 100 threads do not always find a place.
private func check(_ code: Int) {
  asked.add(1, ordering: .relaxed)
  switch code {
  case -6, Int(errSecNotAvailable): turnedAway.add(1, ordering: .relaxed)
  case 0, -1004, -4, -9, -10, Int(errSecItemNotFound), Int(errSecInteractionNotAllowed), Int(errSecAuthFailed): break
  default: fatalError("unexpected answer \(code)")
  }
}

// MARK: What is left

/// Of those the kinds that contexts have: sockets, and what interrupts them.
private func descriptors() -> Int {
  let folder = "/proc/self/fd"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.count { name in
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) ?? ""
    return target.hasPrefix("socket:") || target == "anon_inode:[eventfd]"
  }
}

private func taskCount() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0 }
