import Glibc
import SignetConfiguration
import SignetLanguage
import SignetMachine

/// What is on disk: the state, the TPM that may seal it, the configuration, and the clock that dates it.
struct StateFindings {
  let machine: Machine
  var folder = "/var/lib/signet"
  var owner: UInt32 = 0
  /// Bytes that are free where the state is; `nil` where that is not known.
  var free: UInt64?

  init(_ machine: Machine) {
    self.machine = machine
    var system = statvfs()
    if unsafe statvfs(machine.root + folder, &system) == 0 { free = UInt64(system.f_bavail) * UInt64(system.f_frsize) }
  }

  var state: [Finding] {
    guard let status = machine.status(folder) else {
      return [.fail(.state, say("\(folder) is missing"), "systemd-tmpfiles --create signet.conf")]
    }
    var found: [Finding] = []
    if status.st_uid == owner, status.st_mode & 0o7777 == 0o700, status.st_mode & S_IFMT == S_IFDIR {
      found.append(.ok(.state, say("\(folder) is root's alone")))
    } else {
      found.append(
        .fail(.state, say("\(folder) is not root's alone"), "chown root:root \(folder) && chmod 700 \(folder)"))
    }
    if !machine.isRoot {
      found.append(.hidden(.state, say("whether the device key is there only root sees")))
    } else if machine.exists("\(folder)/device.key") || machine.exists("\(folder)/device.tpm") {
      found.append(.ok(.state, say("the device key is there")))
    } else {
      found.append(
        machine.names("\(folder)/users")?.isEmpty == false
          ? .fail(
            .state, say("\(folder)/device.key is missing: no finger and no vault can be used"), say("put it back from a backup"))
          : .ok(.state, say("no device key yet: signetd makes it when it starts")))
    }
    return found + space + FprintdFindings(machine: machine).all
  }

  /// A strike that cannot be written lets no finger in.
  private var space: [Finding] {
    guard let free else { return [] }
    let size = say("\(free >> 20) MiB are free for \(folder)")
    if free < 1 << 20 {
      return [.fail(.state, say("\(size): no strike can be recorded, and no finger is asked for"), "df \(folder)")]
    }
    return [free < 16 << 20 ? .warn(.state, size, "df \(folder)") : .ok(.state, size)]
  }

  var tpm: [Finding] { chip + firstFinger }

  /// Whether `finger_after_restart` can do anything.
  private var firstFinger: [Finding] {
    let file = try? ConfigurationFile(path: machine.root + ConfigurationFile.defaultPath, isOptional: true)
    guard let configuration = file?.configuration, configuration.rules.fingerAfterRestart else { return [] }
    let wayOut = say("set finger_after_restart = no in \(ConfigurationFile.defaultPath)")
    guard machine.exists("/dev/tpmrm0"), configuration.usesTPM else {
      return [.warn(.tpm, say("finger_after_restart does nothing: no TPM has the device key"), wayOut)]
    }
    return [
      configuration.afterRestart == .ready
        ? .ok(.tpm, say("after a restart the first finger may open the vault: see signet status"))
        : .warn(
          .tpm, say("finger_after_restart does nothing while passcode_after_inactivity or passcode_after_age is on"), wayOut)
    ]
  }

  private var chip: [Finding] {
    guard machine.exists("/dev/tpmrm0") else {
      return [.ok(.tpm, say("there is no TPM 2.0 (/dev/tpmrm0)"))]
    }
    let folders = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
    let hasLibrary = folders.contains { machine.names($0)?.contains { $0.hasPrefix("libtss2-esys.so.0") } == true }
    return [
      hasLibrary
        ? .ok(.tpm, say("there is a TPM 2.0 (/dev/tpmrm0), and libtss2-esys"))
        : .warn(.tpm, say("there is a TPM 2.0 (/dev/tpmrm0), but not libtss2-esys"), "apt-get install libtss2-esys-3.0.2-0")
    ]
  }

  /// Before the program was made nobody can have used it.
  var clock: [Finding] {
    let program = ["/usr/libexec/signet/signetd", "/usr/bin/signet"].lazy.compactMap(machine.status).first
    guard let program else { return [] }
    let made = UInt64(max(0, program.st_mtim.tv_sec))
    return machine.now >= made
      ? [.ok(.clock, say("the clock is past the day on which Signet was installed"))]
      : [
        .warn(
          .clock, say("the clock is before the day on which Signet was installed: tokens and history have wrong dates"),
          "timedatectl set-ntp true")
      ]
  }

  var configuration: [Finding] {
    let path = ConfigurationFile.defaultPath
    do throws(InvalidConfiguration) {
      let checked = try ConfigurationFile(path: machine.root + path, isOptional: true)
      return [
        .ok(
          .configuration, checked.exists ? say("\(path) has no errors") : say("there is no \(path): everything is at its default")
        )
      ]
    } catch {
      if !machine.isRoot, unsafe access(machine.root + path, R_OK) != 0 {
        return [.hidden(.configuration, say("\(path) only root reads"))]
      }
      return [.fail(.configuration, say("\(path) has errors, and signetd does not start with it"), "signet check-config")]
    }
  }
}
