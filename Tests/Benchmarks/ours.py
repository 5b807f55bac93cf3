"""signetd and pam_signet.so in a directory of their own, with a virtual reader."""
import os
import pty
import pwd
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time

import seat
from measure import children
from virtual_reader import present


def is_listening(path):
    """A socket's name is there a moment before it can be connected to; the kernel tells (__SO_ACCEPTCON)."""
    with open("/proc/net/unix") as sockets:
        return any(line.split()[3] == "00010000" for line in sockets if line.rstrip().endswith(" " + path))


# Debian's libpam-wrapper: a PAM stack with passcodes of its own.
MATRIX = f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}/pam_wrapper/pam_matrix.so"


class Signet:
    """A context: signetd runs inside it, unless it is told to be `cold`: then the first connection starts it."""
    name = "pam_signet"
    service = "signet"

    def __init__(self, directory, release, kind, user, cold=False, tpm=None):
        self.tpm = tpm
        self.directory, self.release, self.user, self.cold = directory, release, user, cold
        self.state, self.confdir = directory + "/state", directory + "/pam"
        os.makedirs(self.confdir)
        # In memory, as /run is.
        self.memory = tempfile.TemporaryDirectory(prefix="signet-bench-", dir="/dev/shm" if os.path.ismount("/dev/shm") else None)
        self.runtime = self.memory.name + "/run"
        self.reader, self.socket = directory + "/reader", directory + "/socket"
        self.module = directory + "/pam_signet.so"
        self.library = directory + "/libsignet.so.0"
        subprocess.run(["strip", "-o", self.module, release + "/libpam_signet.so"], check=True)
        subprocess.run(["strip", "-o", self.library, release + "/libsignet0.so"], check=True)
        line = f"{self.module} socket={self.socket} timeout=99"
        with open(self.confdir + "/signet", "w") as file:
            file.write(f"auth required {line}\n")
        with open(self.confdir + "/signet-then-passcode", "w") as file:
            file.write(f"auth [success=done auth_err=die default=ignore] {line}\nauth required pam_unix.so\n")
        with open(self.confdir + "/signet-passcode", "w") as file:
            file.write("auth required pam_permit.so\naccount required pam_permit.so\n")
        with open(directory + "/signet.conf", "w") as file:
            file.write(f"virtual_reader = {kind}:{self.reader}\nreader_user = root\ntpm = {'yes' if tpm else 'no'}\npasscode_confdir = {self.confdir}\n")
            file.write(f"finger_for = {'own' if seat.is_taken() else 'anyone'}\n")
            # Most of what is measured is a finger's way, by a host without a terminal.
            file.write("prompt = finger_first\n")
            # The fingers are enrolled by root: nobody has used the passcode yet.
            file.write("passcode_after_boot = no\npasscode_after_inactivity = off\npasscode_after_age = off\n")
        self.environment = dict(os.environ)
        self.daemon = None

    def have_vault(self):
        """Before the start: a passcode to open a vault with, and a login secret for who logs in."""
        self.passcode = "right horse"
        with open(self.directory + "/passcodes", "w") as file:
            file.write(f"{self.user}:{self.passcode}:signet-passcode\n")
        with open(self.confdir + "/signet-passcode", "w") as file:
            file.write(f"auth required {MATRIX} passdb={self.directory}/passcodes\naccount required pam_permit.so\n")
        with open(self.directory + "/signet.conf", "a") as file:
            file.write(f"authtok_services = {self.service}\n")

    def await_log(self, text):
        """Waits until the log says so."""
        while text not in open(self.directory + "/log").read():
            time.sleep(0.01)

    def command(self):
        return [self.release + "/signetd", "--state-dir", self.state, "--runtime-dir", self.runtime, "--config",
                self.directory + "/signet.conf"] + (["--tpm", self.tpm.transport] if self.tpm else [])

    def __enter__(self):
        self.log = open(self.directory + "/log", "w")
        if not self.cold:
            self.start()
        return self

    def __exit__(self, *_):
        self.stop_helper()

    def start(self):
        """Returns when signetd is ready."""
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = self.directory + "/notify"
        notices.bind(path)
        self.daemon = subprocess.Popen(self.command() + ["--socket", self.socket], stderr=self.log,
                                       env=dict(NOTIFY_SOCKET=path))
        notices.settimeout(10)
        notices.recv(4096)
        notices.close()
        os.unlink(path)

    def listen(self):
        """Plays systemd: holds the socket, and becomes signetd when somebody connects."""
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        command = ["systemd-socket-activate", "--seqpacket", "-l", self.socket] + self.command()
        self.daemon = subprocess.Popen(command, stderr=self.log, env=dict(PATH="/usr/bin:/bin"))
        while not is_listening(self.socket):
            time.sleep(0.001)

    def helper_pids(self):
        return [self.daemon.pid] + children(self.daemon.pid)

    def stop_helper(self):
        if not self.daemon:
            return
        for pid in self.helper_pids():
            os.kill(pid, signal.SIGCONT)
        self.daemon.terminate()
        self.daemon.wait()
        self.daemon = None

    def enroll(self, finger, presented, user=None):
        """Enrolls `presented` (bytes for the reader) by the command line and returns the seconds it took."""
        if not self.daemon:
            self.start()
        start = time.monotonic()
        words = ["signet", "enroll", finger, "--socket", self.socket] + (["--user", user] if user else [])
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(self.release + "/signet", words)
        screen, stages, lying = b"", 0, None
        while chunk := read(terminal):
            screen += chunk
            if screen.endswith(b"Passcode: "):
                os.write(terminal, b"anything\n")
            if screen.count(b"reader") + screen.count(b" of ") > stages and b"5 of 5" not in screen:
                stages += 1
                if lying:
                    lying.close()
                lying = present(self.reader, presented)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
            raise RuntimeError(f"signet enroll: {screen.decode()}")
        lying.close()
        return time.monotonic() - start

    def add_users(self, count):
        """Copies this user's state to that many other users."""
        own = f"{self.state}/users/{pwd.getpwnam(self.user).pw_uid}"
        for number in range(count):
            shutil.copytree(own, f"{self.state}/users/{200_000 + number}", dirs_exist_ok=True)

    def remove_users(self):
        for number in os.listdir(self.state + "/users"):
            if int(number) >= 200_000:
                shutil.rmtree(f"{self.state}/users/{number}")


def read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # how a terminal says that its last program has ended
        return b""
