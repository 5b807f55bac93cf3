import SignetBytes
import SignetLanguage
import SignetMachine

/// What the kernel does against programs that look into each other.
struct KernelFindings {
  let machine: Machine

  var kernel: [Finding] { [tracing, dumps, lockdown] }

  private var tracing: Finding {
    let path = "/proc/sys/kernel/yama/ptrace_scope"
    guard let scope = machine.text(path).flatMap({ Int($0.prefix(while: \.isNumber)) }), scope > 0 else {
      return .warn(
        .kernel, say("programs of one user may trace each other (ptrace_scope), and read each other's tokens"),
        "sysctl kernel.yama.ptrace_scope=1")
    }
    return .ok(.kernel, say("programs of one user may not trace each other (ptrace_scope \(scope))"))
  }

  private var dumps: Finding {
    let pattern = machine.text("/proc/sys/kernel/core_pattern")?.split(separator: "\n").first ?? ""
    return .ok(
      .kernel,
      pattern.hasPrefix("|")
        ? say("core dumps go to a program; signetd and its helpers make none")
        : say("core dumps are files; signetd and its helpers make none"))
  }

  private var lockdown: Finding {
    let text = machine.text("/sys/kernel/security/lockdown") ?? ""
    if text.includes("[integrity]") || text.includes("[confidentiality]") {
      return .ok(.kernel, say("the kernel is locked down: root does not read its memory"))
    }
    return .ok(.kernel, say("the kernel is not locked down: root may read its memory (lockdown comes with Secure Boot)"))
  }
}
