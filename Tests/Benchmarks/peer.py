"""Debian's fprintd and pam_fprintd.so on a private bus, with a virtual reader."""
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time

from gi.repository import GLib

import virtual_reader
from bus import DEVICE, NAME, Bus

# Debian's libpam has its modules in a folder that is named after the architecture.
MODULES = f"/lib/{sysconfig.get_config_var('MULTIARCH')}/security"
ACTIVATION = "[D-BUS Service]\nName={name}\nExec={program} -t\nUser=root\n"


def unpack(directory):
    """Where fprintd and pam_fprintd.so are: the system's, or Debian's packages unpacked but never installed."""
    module = MODULES + "/pam_fprintd.so"
    if os.path.exists("/usr/libexec/fprintd") and os.path.exists(module):
        return "/usr/libexec/fprintd", module
    os.makedirs(directory, exist_ok=True)
    if not os.path.exists(directory + "/usr/libexec/fprintd"):
        subprocess.run(["apt-get", "-q", "download", "fprintd", "libpam-fprintd"], cwd=directory, check=True)
        for package in sorted(os.listdir(directory)):
            if package.endswith(".deb"):
                subprocess.run(["dpkg-deb", "-x", package, "."], cwd=directory, check=True)
    return directory + "/usr/libexec/fprintd", directory + module


class Peer(Bus):
    """A context: bus and polkit run inside it, fprintd when it is asked for, started by the bus."""
    name = "pam_fprintd"
    service = "peer"

    def __init__(self, directory, packages, kind, user):
        program, self.module = unpack(packages)
        self.directory, self.user = directory, user
        self.state, self.confdir = directory + "/state", directory + "/pam"
        services = directory + "/services"
        for path in (self.state, self.confdir, services):
            os.makedirs(path)
        self.reader = directory + "/reader"
        with open(self.confdir + "/peer", "w") as file:
            file.write(f"auth required {self.module} timeout=99\n")
        with open(self.confdir + "/peer-then-passcode", "w") as file:
            file.write(f"auth sufficient {self.module} timeout=99\nauth required pam_unix.so\n")
        with open(f"{services}/{NAME}.service", "w") as file:
            file.write(ACTIVATION.format(name=NAME, program=program))
        self.environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={directory}/bus")
        driver = virtual_reader.DRIVERS[kind]
        self.helper_environment = dict(self.environment, STATE_DIRECTORY=self.state, FP_DRIVERS_WHITELIST=driver,
                                       FP_DRIVERS_ALLOWLIST=driver)
        self.helper_environment[virtual_reader.VARIABLES[kind]] = self.reader

    def __enter__(self):
        self.log = open(self.directory + "/log", "w")
        self.start_bus(self.directory, self.helper_environment)
        stub = os.path.join(os.path.dirname(os.path.abspath(__file__)), "polkit.py")
        self.polkit = subprocess.Popen([sys.executable, stub], env=self.environment, stderr=self.log)
        self.wait_for("org.freedesktop.PolicyKit1", True)
        return self

    def __exit__(self, *_):
        self.stop_helper()
        self.polkit.terminate()
        self.polkit.wait()
        self.end_bus()

    def helper_pids(self):
        """Starts fprintd where it does not run."""
        self.device()
        return [self.bus_call("GetConnectionUnixProcessID", NAME)]

    def stop_helper(self):
        if not self.bus_call("NameHasOwner", NAME):
            return
        pid = self.bus_call("GetConnectionUnixProcessID", NAME)
        os.kill(pid, signal.SIGCONT)
        os.kill(pid, signal.SIGTERM)
        self.wait_for(NAME, False)

    def enroll(self, finger, presented):
        """Enrolls `presented` (bytes for the reader) and returns the seconds it took."""
        device, states, context = self.device(), [], GLib.MainContext.default()
        subscription = self.connection.signal_subscribe(
            None, DEVICE, "EnrollStatus", device, None, 0, lambda *a: states.append(a[5].unpack()))
        self.call(device, DEVICE + ".Claim", "(s)", (self.user,))
        start = time.monotonic()
        self.call(device, DEVICE + ".EnrollStart", "(s)", (finger,))
        lying = virtual_reader.present(self.reader, presented)
        shown = 1
        while not states or not states[-1][1]:
            context.iteration(True)
            if len(states) == shown and not states[-1][1]:
                lying.close()
                self.wait_until_finger_is_needed(device)
                lying = virtual_reader.present(self.reader, presented)
                shown += 1
        took = time.monotonic() - start
        lying.close()
        self.connection.signal_unsubscribe(subscription)
        self.call(device, DEVICE + ".EnrollStop")
        self.call(device, DEVICE + ".Release")
        if states[-1][0] != "enroll-completed":
            raise RuntimeError(f"fprintd: {states}")
        return took

    def wait_until_finger_is_needed(self, device):
        arguments = (DEVICE, "finger-needed")
        while not self.call(device, "org.freedesktop.DBus.Properties.Get", "(ss)", arguments)[0]:
            time.sleep(0.001)

    def add_users(self, count):
        """Copies the enrolled prints to that many other users."""
        for number in range(count):
            shutil.copytree(f"{self.state}/{self.user}", f"{self.state}/other{number}", dirs_exist_ok=True)

    def remove_users(self):
        for name in os.listdir(self.state):
            if name.startswith("other"):
                shutil.rmtree(f"{self.state}/{name}")
