import SignetLanguage

/// Which line of the stack made a run end badly, and what to write instead.
extension StackProver {
  /// The fault of a run that let somebody in without a credential.
  func faultThatLetsIn(_ run: Explanation) -> Fault {
    let end = run.granting ?? run.steps.count
    if let jump = run.jump(over: [.deny, .passcode, .factor], before: end, in: stack), jump.step + 1 < run.steps.count {
      return .skipping(run.steps[jump.step], over: jump.skipped, to: run.steps[jump.step + 1].entry)
    }
    guard let granting = run.granting else {
      return .notProven(stack.place, say("It lets somebody in without a credential, and no line of it says so."))
    }
    let step = run.steps[granting]
    let isAfterRefusal = run.steps[..<granting].contains { [.signet, .passcode, .factor].contains($0.entry.kind) }
    return step.entry.kind == .permit && isAfterRefusal ? .unguarded(step.entry) : .giving(step)
  }

  /// The fault of a run in which the right passcode lets nobody in although no reader can be used.
  func faultThatShutsOut(_ run: Explanation) -> Fault {
    guard let first = run.steps.first?.entry else {
      return Fault(
        .noPasscode, stack.place, why: say("It has no line that authenticates anybody, or libpam refuses it."),
        instead: say("Write lines of the type auth, or: @include common-auth"))
    }
    let end = run.failing ?? run.steps.count
    if let failing = run.failing {
      let step = run.steps[failing]
      if step.entry.kind == .signet { return .closing(step, asks: run.has(.passcode)) }
      if step.entry.kind == .deny, failing > 0, case .jump = run.steps[failing - 1].action {
        return .landing(run.steps[failing - 1], on: step.entry)
      }
      if step.entry.kind != .deny { return .refusing(step) }
    }
    if let jump = run.jump(over: [.passcode], before: end, in: stack) {
      return .skippingPasscode(run.steps[jump.step], over: jump.skipped)
    }
    if let passcode = run.steps.last(where: { $0.entry.kind == .passcode }) { return .passcodeIgnored(passcode.entry) }
    return .noPasscode(run.steps.first { $0.entry.kind == .signet }?.entry ?? first)
  }
}

extension Fault {
  /// A jump over a line that would refuse, to a line that lets everybody in.
  fileprivate static func skipping(_ step: Explanation.Step, over skipped: Entry, to entry: Entry) -> Fault {
    Fault(
      .opensWithoutCredential, step.entry.place,
      // Translators: #2 is a clause such as "answers auth_err", #3 and #4 are lines.
      why: say(
        """
        Where \(step.entry.module.name) \(step.code.clause), it jumps over \(skipped.shortName) to \(entry.shortName): nobody has \
        shown a credential, and everybody comes in.
        """),
      instead: step.entry.kind == .signet
        ? step.entry.asItShouldBe : say("Let it jump on success only: [success=N default=ignore]"))
  }

  /// pam_permit with nothing before it that refuses.
  fileprivate static func unguarded(_ entry: Entry) -> Fault {
    Fault(
      .opensWithoutCredential, entry.place,
      why: say("libpam comes to it where every credential has been refused, and it lets everybody in."),
      instead: say("Put a line before it that only a success jumps over: auth requisite pam_deny.so"))
  }

  /// A line whose success counts, although it says nothing about who is there.
  fileprivate static func giving(_ step: Explanation.Step) -> Fault {
    let entry = step.entry
    let instead =
      step.action == .done && entry.kind != .permit
      ? say("Write required instead of sufficient.")
      : say("Put behind it, for those who have shown no credential: auth requisite pam_deny.so")
    return Fault(
      .opensWithoutCredential, entry.place,
      // Translators: #2 is a clause such as "lets root in".
      why: step.action == .done
        ? say("\(entry.module.name) \(entry.module.reason); its success ends the stack: everybody comes in.")
        : say(
          "\(entry.module.name) \(entry.module.reason); its success counts, and no line after it refuses: everybody comes in."),
      instead: entry.kind == .permit ? say("Remove the line, or put auth requisite pam_deny.so before it.") : instead)
  }

  /// A pam_signet.so line that takes a missing reader for a failure.
  fileprivate static func closing(_ step: Explanation.Step, asks: Bool) -> Fault {
    Fault(
      .noPasscode, step.entry.place,
      why: asks
        ? say(
          """
          Where pam_signet.so \(step.code.clause), this line makes it a failure: the passcode is asked, but even the right one is \
          refused.
          """)
        : say("Where pam_signet.so \(step.code.clause), this line makes it a failure: nobody is asked for the passcode."),
      instead: step.entry.asItShouldBe)
  }

  fileprivate static func landing(_ step: Explanation.Step, on entry: Entry) -> Fault {
    Fault(
      .noPasscode, step.entry.place,
      why: say("Where \(step.entry.module.name) \(step.code.clause), it jumps to \(entry.shortName), which refuses everybody."),
      instead: say("Count the lines to jump over anew, so that it lands behind \(entry.shortName)."))
  }

  fileprivate static func skippingPasscode(_ step: Explanation.Step, over skipped: Entry) -> Fault {
    Fault(
      .noPasscode, step.entry.place,
      why:
        say(
          "Where \(step.entry.module.name) \(step.code.clause), it jumps over \(skipped.shortName): nobody is asked for the passcode."
        ),
      instead: step.entry.kind == .signet ? step.entry.asItShouldBe : say("Let it jump over fewer lines."))
  }

  fileprivate static func refusing(_ step: Explanation.Step) -> Fault {
    Fault(
      .noPasscode, step.entry.place,
      why:
        say(
          "Where \(step.entry.module.name) \(step.code.clause), this line keeps the stack from succeeding, whatever the passcode."
        ),
      instead: say("Give this answer the action ignore, or write required."))
  }

  fileprivate static func passcodeIgnored(_ entry: Entry) -> Fault {
    Fault(
      .noPasscode, entry.place, why: say("The passcode is asked, but a right one lets nobody in."),
      instead: say("Write required, or [success=N default=ignore] with a pam_deny.so behind that N jumps over."))
  }

  fileprivate static func noPasscode(_ entry: Entry) -> Fault {
    Fault(
      .noPasscode, entry.place, why: say("No line after it asks for a passcode: without a reader nobody gets in."),
      instead: say("Put a passcode behind it, for example: @include common-auth"))
  }
}

extension Fault {
  static func notProven(_ place: FileLocation, _ why: String) -> Fault {
    Fault(.notProven, place, why: why, instead: say("Make the stack simpler, until it can be proven."))
  }

  static func badJump(_ entry: Entry, _ code: ReturnName) -> Fault {
    Fault(
      .badJump, entry.place,
      why: say("Where \(entry.module.name) \(code.clause), it jumps beyond the end of the stack, which libpam makes a failure."),
      instead: say("Count the lines to jump over anew, so that it lands on a line."))
  }

  static func secondQuestion(_ entry: Entry) -> Fault {
    Fault(
      .questions, entry.place,
      why:
        say(
          "\(entry.module.name) asks a second question; signetd has one passcode to give, and takes a second question for a failure."
        ),
      instead: entry.kind == .passcode
        ? say("Add try_first_pass to its arguments.")
        : say("Give \(StackCheck.passcodeService) a stack that asks for the passcode alone."))
  }

  static func fingerRefused(_ entry: Entry, landing: Entry?) -> Fault {
    Fault(
      .fingerRefused, entry.place,
      why: landing.map { say("A finger that matches lets nobody in: libpam goes on to \($0.shortName).") }
        ?? say("A finger that matches lets nobody in."),
      instead: entry.asItShouldBe)
  }

  static func noPasscodeService(_ place: FileLocation) -> Fault {
    Fault(
      .noPasscodeService, place,
      why: say("signetd checks passcodes by this service, which is missing: every passcode is refused."),
      instead: say("Install it again; it has two lines: @include common-auth and @include common-account"))
  }
}

extension Remark {
  static func closed(_ step: Explanation.Step, by entry: Entry) -> Remark {
    Remark(
      place: step.entry.place,
      text:
        say(
          "Where \(step.entry.module.name) \(step.code.clause), \(entry.shortName) refuses before anything is asked: closed on purpose?"
        )
    )
  }
}

extension Entry {
  /// How a sentence about another line names this one.
  fileprivate var shortName: String { say("\(module.name) in line \(place.line)") }

  /// The pam_signet.so line with actions that let nobody in without a credential, and go on to the passcode without a reader.
  fileprivate var asItShouldBe: String {
    let success: String
    switch control[.success] {
    case .jump(let count): success = "\(count)"
    default: success = "done"
    }
    let words = (["pam_signet.so"] + arguments).joined(separator: " ")
    return "auth [success=\(success) auth_err=die maxtries=die abort=die conv_err=die default=ignore] \(words)"
  }
}
