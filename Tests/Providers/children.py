"""Servers that die with the process that started them, also where that one is killed."""
import ctypes
import os
import signal
import socket
import subprocess
import time

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


class StartFailed(Exception):
    """A server did not come up. Says where its output is."""


def dying_with(parent):
    """What a new child does before it becomes another program. The kernel counts the thread that forks as the parent."""
    def prepare():
        if LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL) != 0 or os.getppid() != parent:
            os._exit(127)
    return prepare


class Child:
    """A running server; what it says goes to `log`. To be made by the main thread, which lives as long as the process."""

    def __init__(self, name, arguments, log, **options):
        self.name = name
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=options.pop("stdout", output),
                                            stderr=output, preexec_fn=dying_with(os.getpid()), **options)

    def failed(self, what):
        """An error that says what happened to this server, and where to read why."""
        return StartFailed(f"{self.name} {what}; {self.log} may say why")

    def end(self):
        self.process.kill()
        self.process.wait()

    def wait_until(self, ready, seconds):
        """Calls `ready` until it is true, the server has ended or the time is up."""
        deadline = time.monotonic() + seconds
        while not ready():
            if self.process.poll() is not None:
                raise self.failed(f"ended with {self.process.returncode}")
            if time.monotonic() > deadline:
                raise self.failed(f"was not ready after {seconds} s")
            time.sleep(0.02)


def free_port():
    """A port that the kernel says is free. Another program may take it before the server does: then start anew."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Whether something listens on this port of the loopback."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
