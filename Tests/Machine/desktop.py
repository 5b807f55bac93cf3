"""A desktop in the guest: its greeter, a session and its locker, on a screen that nobody sees but QEMU, and with a keyboard."""
import os
import time

from person import PASSCODES
from terminal import Failure

USER = "alice"
SAID = "/tmp/said"
# QEMU's names of keys (QKeyCode) that are not the character itself, on an American keyboard.
KEYS = {"\n": "ret", "-": "minus", " ": "spc", ".": "dot", "/": "slash", ";": "semicolon", "=": "equal"}
SHIFTED = {">": "dot", "_": "minus", ":": "semicolon", "&": "7", "$": "4", "?": "slash", "\"": "apostrophe", "*": "8"}


class Screen:
    """The guest's screen and keyboard."""

    def __init__(self, machine, pictures):
        self.machine, self.pictures, self.count = machine, pictures, 0

    def presses(self, *keys):
        """Keys that are held down together."""
        self.machine.monitors("send-key", keys=[{"type": "qcode", "data": key} for key in keys], **{"hold-time": 20})
        time.sleep(0.05)

    def types(self, text):
        for character in text:
            if character in SHIFTED or character.isupper():
                self.presses("shift", SHIFTED.get(character, character.lower()))
            else:
                self.presses(KEYS.get(character, character))

    def keeps(self, name):
        """A picture of what is seen now, for people."""
        self.count += 1
        self.machine.monitors("screendump", filename=os.path.join(self.pictures, f"{self.count:02}-{name}.png"), format="png")


class Person:
    """Alice at a desktop. A subclass knows its greeter, its session and its locker."""

    def __init__(self, machine, reader, pictures):
        self.machine, self.reader, self.screen = machine, reader, Screen(machine, pictures)

    def awaits(self, what, command, within=150):
        """Waits until a command of root's in the guest succeeds."""
        answer = self.machine.asks(f"for n in $(seq {within}); do if {command}; then exit 0; fi; sleep 1; done > /dev/null 2>&1; exit 1",
                                   within=10 * within)
        if not answer.succeeded:
            self.screen.keeps("missing")
            raise Failure(f"waited {within} s for {what}")

    def of_session(self, command):
        """The words of a program that knows her session's bus and display."""
        return (f"runuser -u {USER} -- env DISPLAY=:0 XAUTHORITY=/home/{USER}/.Xauthority XDG_RUNTIME_DIR=/run/user/{self.uid} "
                f"DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/{self.uid}/bus {command}")

    @property
    def uid(self):
        return self.machine.does(f"id -u {USER}").strip()

    def is_at_seat(self):
        """Whether her session is the one that is shown, as a command of root's."""
        return f"[ \"$(loginctl show-seat seat0 -P ActiveSession | xargs loginctl show-session -P Name)\" = {USER} ]"

    def logs_in_by_passcode(self):
        self.names_herself()
        self.screen.keeps("greeter asks for the passcode")
        self.screen.types(PASSCODES[USER] + "\n")
        self.has_session()

    def logs_in_by_finger(self):
        self.names_herself()
        self.awaits_finger()
        self.screen.keeps("greeter asks for the finger")
        self.reader.touch(self.reader.finger)
        self.has_session()

    def awaits_finger(self):
        """Until the greeter waits for a finger, where that is not at once."""

    def keeps_secret(self):
        """Gives her keyring something to keep, which it takes where it is open."""
        self.machine.does(f"echo kept | {self.of_session('secret-tool store --label=Test test desktop')}")

    def has_secret(self):
        return "kept" in self.machine.does(self.of_session("secret-tool lookup test desktop"))

    def misses(self, count):
        """Touches with a finger that is not hers; back a moment after the reader has scanned each."""
        until, before = time.monotonic() + 120, self.reader.scans()
        self.reader.touch(self.reader.other, count)
        while self.reader.scans() < before + count:
            if time.monotonic() > until:
                raise Failure(f"the reader did not scan {count} times")
            time.sleep(0.5)
        time.sleep(3)

    def is_refused(self, text):
        """Gives a passcode that is wrong; back when signetd has said so."""
        wrong = f"signet history --user {USER} | grep -c 'asscode wrong'"
        before = self.machine.asks(wrong).output.strip()
        self.screen.types(text + "\n")
        self.awaits("a wrong passcode", f"[ $({wrong}) -gt {before} ]")

    def says_in_terminal(self, command):
        """Opens a terminal as she would, and has the shell there run a command; returns what that said."""
        self.machine.does(f"rm -f {SAID}*")
        for _ in range(20):
            # Nothing heeds the key until all of the session has begun.
            self.opens_terminal()
            if self.machine.asks(f"for n in $(seq 10); do pgrep -u {USER} -x bash && exit 0; sleep 1; done; exit 1").succeeded:
                break
        time.sleep(2)
        self.screen.types(f"{command} > {SAID} 2>&1; mv {SAID} {SAID}.whole\n")
        self.awaits("its end", f"[ -e {SAID}.whole ]")
        return self.machine.does(f"cat {SAID}.whole").strip()
