"""A desktop in the guest: lightdm's greeter, Xfce and its locker, on a screen that nobody sees but QEMU, and with a keyboard."""
import os
import time

import installing
from person import PASSCODES, Reader
from stories import expect, expect_in
from terminal import Failure

USER = "alice"
# How many greeters there were, and how often the newest was given something to show.
GREETERS = "grep -c 'Greeter connected' /var/log/lightdm/lightdm.log"
QUESTIONS = "tac /var/log/lightdm/lightdm.log | sed '/Greeter connected/q' | grep -c 'Prompt greeter'"
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
    """Alice at the desktop."""

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

    def names_herself(self):
        """Gives the greeter her name; back when it shows what PAM says to her."""
        # The first is for the name. Each is drawn a moment later.
        self.awaits("the greeter", f"[ $({QUESTIONS}) = 1 ]")
        time.sleep(2)
        self.screen.types(USER + "\n")
        self.awaits("the greeter's question", f"[ $({QUESTIONS}) -gt 1 ]")
        time.sleep(2)

    def has_session(self):
        self.awaits("the session", f"pgrep -u {USER} xfwm4 && [ \"$(loginctl show-seat seat0 -P ActiveSession | "
                    f"xargs loginctl show-session -P Name)\" = {USER} ]")

    def logs_in_by_passcode(self):
        self.names_herself()
        self.screen.keeps("greeter asks for the passcode")
        self.screen.types(PASSCODES[USER] + "\n")
        self.has_session()

    def logs_in_by_finger(self):
        self.names_herself()
        self.screen.keeps("greeter asks for the finger")
        self.reader.touch(self.reader.finger)
        self.has_session()

    def locks_screen(self):
        """What locks it has the greeter ask; back when that shows a question."""
        before = self.machine.asks(GREETERS).output.strip()
        self.machine.does(self.of_session("light-locker-command -l"))
        self.awaits("the locker", f"[ $({GREETERS}) -gt {before} ] && [ $({QUESTIONS}) -ge 1 ]")
        time.sleep(2)

    def misses(self, count):
        """Touches with a finger that is not hers; back a moment after the reader has scanned each."""
        until, before = time.monotonic() + 120, self.reader.scans()
        self.reader.touch(self.reader.other, count)
        while self.reader.scans() < before + count:
            if time.monotonic() > until:
                raise Failure(f"the reader did not scan {count} times")
            time.sleep(0.5)
        time.sleep(3)

    def answers(self, text):
        """Gives an answer that is wrong; back when something is asked again."""
        asked = self.machine.asks(QUESTIONS).output.strip()
        self.screen.types(text + "\n")
        self.awaits("another question", f"[ $({QUESTIONS}) -gt {asked} ]")
        time.sleep(2)

    def logs_out(self):
        manager = self.of_session("busctl --user call org.xfce.SessionManager /org/xfce/SessionManager org.xfce.Session.Manager")
        # Before all of the session has begun, or where it is asked twice, it does not end.
        self.awaits("the whole session", f"{manager} GetState | grep -q '^u 1$'")
        self.machine.does(f"{manager} Logout bb false false")
        self.awaits("its end", f"! pgrep -u {USER} xfce4-session")

    def says_in_terminal(self, command):
        """Opens a terminal by its key, and has the shell there run a command; returns what that said."""
        self.machine.does(f"rm -f {SAID}*")
        for _ in range(20):
            # Nothing heeds the key until all of the session has begun.
            self.screen.presses("ctrl", "alt", "t")
            if self.machine.asks(f"for n in $(seq 10); do pgrep -u {USER} -x bash && exit 0; sleep 1; done; exit 1").succeeded:
                break
        time.sleep(2)
        self.screen.types(f"{command} > {SAID} 2>&1; mv {SAID} {SAID}.whole\n")
        self.awaits("its end", f"[ -e {SAID}.whole ]")
        return self.machine.does(f"cat {SAID}.whole").strip()


def installation(story, machine):
    machine.has_screen = True
    installing.without_signet(story, machine)
    installing.installs(story, machine)


def day(story, machine):
    machine.has_screen = True
    machine.new_disk(machine.installed)
    machine.boot()
    # The passcode that is typed opens the keyring at a login by finger, too, also after the last session has ended. What Xfce composes
    # of windows by the graphics card nobody would see here.
    machine.does("printf 'release_authtok = yes\nvault_close_with_session = no\n' >> /etc/signet/signet.conf && systemctl reload signetd && "
                 "sed -i 's/^use_compositing=true/use_compositing=false/' /usr/share/xfwm4/defaults")
    reader = Reader(machine)
    reader.plug()
    person = Person(machine, reader, story.report.folder)
    logins(story, machine, person)
    locks(story, machine, person)


def logins(story, machine, person):
    with story.step("after a start the greeter takes the passcode"):
        person.logs_in_by_passcode()
        person.logs_out()
    with story.step("the next login's passcode opens the keyring, which keeps something"):
        person.logs_in_by_passcode()
        machine.does(f"echo kept | {person.of_session('secret-tool store --label=Test test desktop')}")
        person.logs_out()
    with story.step("a login by finger opens it, too"):
        person.logs_in_by_finger()
        expect_in("fpt", machine.does("signet sessions"))
        expect_in("kept", machine.does(person.of_session("secret-tool lookup test desktop")))
    with story.step("a terminal of the session and a program of her own manager have the session's token, and a service has none"):
        own = person.says_in_terminal("signet token")
        expect(len(own) == 64, own)
        person.screen.keeps("terminal")
        managed = machine.does(person.of_session("systemd-run --user --quiet --wait --pipe signet token")).strip()
        expect(managed == own, managed)
        service = machine.asks(f"systemd-run --quiet --wait --pipe --uid={USER} signet token 2>&1")
        expect(not service.succeeded, str(service))


def locks(story, machine, person):
    reader, screen = person.reader, person.screen
    with story.step("the screen is locked, and the finger opens it"):
        person.locks_screen()
        screen.keeps("locker asks for the finger")
        reader.touch(reader.finger)
        person.has_session()
    with story.step("after misses and a wrong passcode the right one opens the screen, and clears the strikes"):
        person.locks_screen()
        person.misses(3)
        # Refused, it asks anew.
        person.answers("wrong horse")
        person.misses(2)
        screen.keeps("locker after misses")
        screen.types(PASSCODES[USER] + "\n")
        person.has_session()
        expect_in('"strikes" : 0,', machine.does(f"signet status --user {USER} --json"))
