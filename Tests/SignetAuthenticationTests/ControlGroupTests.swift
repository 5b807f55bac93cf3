import Testing

@testable import SignetAuthentication

/// As /proc/PID/cgroup has them on machines of different kinds.
@Suite struct ControlGroupTests {
  @Test(arguments: [
    "0::/user.slice/user-1000.slice/session-2.scope\n",
    "0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-7.scope\n",
    "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-0f.scope/container\n",
    // Its own choice, behind what is the system's.
    "0::/user.slice/user-1000.slice/user@1000.service/user.slice/user-1001.slice/session-1.scope\n",
    "12:pids:/user.slice/user-1001.slice\n1:name=systemd:/user.slice/user-1000.slice/session-2.scope\n0::/\n",
  ]) func `a session and whatever a user's manager started are in that user's slice`(text: String) {
    #expect(ControlGroup(text) == .user(1000))
  }

  @Test(arguments: [
    "0::/system.slice/docker-0f.scope\n", "0::/machine.slice/libpod-0f.scope\n",
    "0::/machine.slice/systemd-nspawn@debian.service/payload/user.slice/user-1000.slice/session-1.scope\n",
    "0::/system.slice/docker-0f.scope/user.slice/user-1000.slice/session-1.scope\n",
    "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-0f.scope\n", "9:name=systemd:/machine.slice/machine-a.scope\n",
    "0::/user.slice/user-.slice/session-1.scope\n", "0::/user.slice/user-1000x.slice/session-1.scope\n",
    "0::/user-1000.slice/session-1.scope\n",
  ]) func `a container is nobody's session, whatever its groups are called`(text: String) {
    #expect(ControlGroup(text) == .guest)
  }

  @Test(arguments: [
    "0::/system.slice/system-getty.slice/getty@tty1.service\n", "0::/system.slice/cron.service\n", "0::/init.scope\n", "0::/\n",
    "0::/system.slice/evil.service/user.slice/user-1000.slice/session-1.scope\n",
    "0::/system.slice/evil.service/a:/user.slice/user-1000.slice\n", "0::/../user.slice/user-1000.slice/session-1.scope\n",
    "0::/user-1000.slice\n", "7:freezer:/user.slice/user-1000.slice\n0::/\n", "4:memory:/docker/0f\n", "", "::",
  ]) func `everything else is the system's`(text: String) {
    #expect(ControlGroup(text) == .system)
  }
}
