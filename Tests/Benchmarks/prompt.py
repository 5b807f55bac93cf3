"""The prompt that takes a finger or a passcode: how long its end takes, beside the finger alone and beside the passcode's module alone."""
import json
import os
import pty
import signal
import time

from measure import median
from ours import MATRIX, read
from virtual_reader import connect

LINE, FINGER = b"or enter your passcode: ", b"fingerprint reader"
DONE = b'"step":"authenticate"'
END = b'"step":"end"'
# For longer than anybody looks: the terminal's end takes what was not read yet with it.
AFTERWARDS = ["--pause", "99000000"]


class Terminal:
    """pam-host on a terminal of its own."""

    def __init__(self, lane, service, words=(), answers=None):
        command = [f"{lane.release}/pam-host", "--service", service, "--confdir", lane.confdir, "--user", lane.user, "--print"] + AFTERWARDS
        secrets, typed = os.pipe()
        os.write(typed, (answers or "").encode())
        os.close(typed)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.dup2(secrets, 3)
            os.execv(command[0], command + ["--tty", os.ttyname(0)] + list(words) + (["--answers"] if answers else []))
        os.close(secrets)
        self.screen = b""

    def sees(self, text):
        while text not in self.screen:
            chunk = read(self.terminal)
            if not chunk:
                raise RuntimeError(f"no {text} in {self.screen.decode()}")
            self.screen += chunk

    def ends(self):
        """What the login came to: the row that pam-host printed."""
        self.sees(END)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)
        row = next(json.loads(line) for line in self.screen.splitlines() if line.startswith(b"{") and DONE in line)
        if row["code"] != 0:
            raise RuntimeError(self.screen.decode())
        return row


def by_finger(lane, prompt, service="signet-show", words=()):
    """Milliseconds from the finger to the host's success."""
    terminal = Terminal(lane, service, words)
    terminal.sees(prompt)
    # Time for the host to come to rest, as it does while a person lifts a hand.
    time.sleep(0.02)
    began = time.perf_counter()
    with connect(lane.reader) as reader:
        reader.sendall(b"SCAN finger1")
        terminal.sees(DONE)
        taken = time.perf_counter() - began
    terminal.ends()
    return taken * 1000


def by_passcode(lane):
    """The same from the Enter key behind the passcode."""
    terminal = Terminal(lane, "signet-show")
    terminal.sees(LINE)
    time.sleep(0.02)
    began = time.perf_counter()
    os.write(terminal.terminal, lane.passcode.encode() + b"\n")
    terminal.sees(DONE)
    taken = time.perf_counter() - began
    terminal.ends()
    return taken * 1000


def by_passcode_that_is_there(lane):
    """What a host takes that hears nothing but its own question, and has the answer."""
    return Terminal(lane, "signet-show", ["--rhost", "localhost"], answers=lane.passcode + "\n").ends()["us"] / 1000


def by_module_alone(lane):
    """What the module that checks the passcode takes in the host itself."""
    return Terminal(lane, "alone", answers=lane.passcode + "\n").ends()["us"] / 1000


def measure(bench):
    sheet, rounds = bench.sheet, max(20, bench.rounds // 4)
    sheet.title(f"The prompt for finger or passcode, on a terminal ({rounds} each, in turns)")
    lane = bench.ours("device")
    lane.have_vault()
    with open(lane.confdir + "/signet-show", "w") as file:
        file.write(f"auth required {lane.module} socket={lane.socket} timeout=99 show\n")
    with open(lane.confdir + "/alone", "w") as file:
        file.write(f"auth required {MATRIX} passdb={lane.directory}/passcodes\n")
    with open(lane.directory + "/passcodes", "a") as file:
        file.write(f"{lane.user}:{lane.passcode}:alone\n")
    with open(lane.directory + "/signet.conf", "a") as file:
        file.write("[service signet-show]\nprompt = either\n")
    # What a passcode opens comes after the verdict, and is not what is measured.
    with lane:
        bench.enroll(lane, "device")
        times = {"either": [], "finger alone": [], "passcode": [], "passcode behind it": [], "passcode at once": [],
                 "its module alone": []}
        for _ in range(rounds):
            times["either"].append(by_finger(lane, LINE))
            times["finger alone"].append(by_finger(lane, FINGER, lane.service, ["--rhost", "localhost"]))
            times["passcode"].append(by_passcode(lane))
            # What the passcode before this one opens is still at work, and then at rest.
            times["passcode behind it"].append(by_passcode_that_is_there(lane))
            time.sleep(0.8)
            times["passcode at once"].append(by_passcode_that_is_there(lane))
            times["its module alone"].append(by_module_alone(lane))
        middle = {name: median(found) for name, found in times.items()}
        for name, taken in middle.items():
            sheet.line(f"{name:18} {taken:.2f} ms")
        more = middle["either"] - middle["finger alone"]
        sheet.goal(f"a finger ends the prompt {more:+.2f} ms beside the finger alone, at most 0.5", more <= 0.5)
        more = middle["passcode"] - middle["its module alone"]
        sheet.goal(f"a passcode {more:+.2f} ms beside its module alone, at most 5", more <= 5)
        more = middle["passcode at once"] - middle["its module alone"]
        sheet.goal(f"a passcode that is already there {more:+.2f} ms beside its module alone, at most 5", more <= 5)
        more = middle["passcode behind it"] - middle["its module alone"]
        sheet.goal(f"a passcode right behind another one {more:+.2f} ms beside its module alone, at most 20", more <= 20)
