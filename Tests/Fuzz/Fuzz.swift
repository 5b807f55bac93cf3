// Fuzz runs libFuzzer with AddressSanitizer on everything that parses foreign bytes. It is one program with several targets:
//
//     fuzz TARGET --seeds FOLDER       writes the target's seeds
//     fuzz TARGET [OPTION...] FOLDER   fuzzes, beginning with what is in the folder; the options are libFuzzer's
//     fuzz TARGET FILE                 replays one input
//
// `make fuzz` does all this. Each target asks for more than "no crash": what it checks is said where it stands.
import Glibc

/// One thing that reads bytes of others.
struct FuzzTarget: Sendable {
  let name: String
  /// The longest input worth trying, in bytes: a little over what the reader accepts.
  let longest: Int
  let seeds: @Sendable () -> [[UInt8]]
  let run: @Sendable (Span<UInt8>) -> Void
}

private let targets: [FuzzTarget] = [.toSignetd, .fromSignetd, .configuration, .state, .vault, .connection, .assuan, .hid, .ctap]

/// Set once, before libFuzzer starts.
private nonisolated(unsafe) var chosen = targets[0]

/// libFuzzer, which has the `main` of this program, lets it look at its command line first.
@c(LLVMFuzzerInitialize) public func initialize(
  _ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let arguments = (0..<Int(count.pointee)).map { String(cString: words.pointee[$0]!) }
  guard arguments.count > 2, let target = targets.first(where: { $0.name == arguments[1] }) else {
    complain("usage: fuzz \(targets.map(\.name).joined(separator: "|")) (--seeds FOLDER | [OPTION...] FOLDER | FILE)")
    exit(2)
  }
  if arguments[2] == "--seeds" { exit(writeSeeds(of: target, into: arguments.last!)) }
  chosen = target
  guard standardError >= 0 else { return 1 }
  // libFuzzer keeps the input of whoever aborts.
  signal(SIGPROF) { _ in
    complain("PROPERTY: an input took \(secondsAnInput) s of the processor")
    abort()
  }
  // In the place of the target's name, which libFuzzer would take for a folder.
  words.pointee[1] = strdup("-max_len=\(target.longest)")
  return 0
}

@c(LLVMFuzzerTestOneInput) public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer has an address for an empty input too, and a span needs one.
  guard let bytes else { return 0 }
  limitProcessor(secondsAnInput)
  chosen.run(Span(_unsafeStart: bytes, count: count))
  limitProcessor(0)
  return 0
}

/// What one input may cost. In the processor's time and not on a clock (as libFuzzer's own `-timeout` is), because virtual machines may
/// have nearly all of both processors meanwhile.
private let secondsAnInput = 5

/// Ends the program with the input kept after so many seconds of the processor; 0 for no limit.
private func limitProcessor(_ seconds: Int) {
  var limit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
  setitimer(Int32(ITIMER_PROF.rawValue), &limit, nil)
}

private func writeSeeds(of target: FuzzTarget, into folder: String) -> Int32 {
  mkdir(folder, 0o755)
  for (index, seed) in target.seeds().enumerated() { writeFile("\(folder)/seed-\(index)", seed) }
  return 0
}
