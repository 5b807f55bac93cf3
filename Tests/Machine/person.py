"""What the three users of the guest do, and the emulated reader under their hands."""
import os

from stories import expect
from terminal import PASSCODE_PROMPT

PASSCODES = {"alice": "Corr3ct-Horse", "bob": "B0b-Battery", "carol": "Car0l-Staple"}
TOUCH_PROMPT = r"Touch the (fingerprint )?reader"
OWN_FINGER, OTHER_FINGER = "/mnt/prints/whorl.png", "/mnt/prints/loop-right.png"
GIVEN_UP = r"(?i)password[^\n]*: $"


class Reader:
    """An emulated reader in the guest. `finger` and `other` are what it is touched with."""

    @staticmethod
    def has_prints(machine):
        return os.path.isdir(os.path.join(machine.share, "prints"))

    def __init__(self, machine, kind=None, name="reader", running=False):
        # One that delivers pictures needs pictures.
        self.kind = kind = kind or ("nb1010" if Reader.has_prints(machine) else "synaptics")
        self.machine = machine
        self.socket = f"/run/{name}.sock"
        self.finger, self.other = (OWN_FINGER, OTHER_FINGER) if kind == "nb1010" else ("right-index", "left-index")
        if not running:
            machine.does(f"systemd-run --quiet --unit={name} /usr/bin/python3 -B /mnt/readers/reader.py serve {kind} {self.socket}")

    def does(self, *words):
        return self.machine.does(f"/usr/bin/python3 -B /mnt/readers/reader.py {self.socket} {' '.join(map(str, words))}").strip()

    def plug(self):
        self.does("plug")
        self.machine.does("udevadm settle")

    def touch(self, finger, count=1):
        self.does("touch", finger, count)

    def scans(self):
        return int(self.does("scans").split()[1])


def has_opened_vaults(machine):
    """Waits until signetd computes no more. Each passcode that was right opens a vault; in a guest with one processor that takes ten seconds,
    beside which no reader opens within the three that it has."""
    used = "$(systemctl show -P CPUUsageNSec signetd)"
    machine.does(f"for n in $(seq 90); do before={used}; sleep 1; [ $(({used} - before)) -gt 300000000 ] || exit 0; done; exit 1", within=150)


def logs_in_by_passcode(terminal, user):
    return terminal.logs_in(user, PASSCODES[user])


def logs_in_by_finger(terminal, user, reader):
    terminal.names(user)
    terminal.sees(TOUCH_PROMPT, within=30)
    reader.touch(reader.finger)
    terminal.has_shell()


def enrolls(terminal, reader, user, finger="right-index-finger", touched=None, command=None):
    terminal.begins(command or f"signet enroll {finger}")
    terminal.sees(r"asscode[^\n]*: $")
    terminal.answers(PASSCODES[user])
    terminal.sees(r"(?i)touch")
    reader.touch(touched or reader.finger, 12)
    status, text = terminal.ends(within=120)
    reader.does("lift")
    expect(status == 0, text)


def asks_by_finger(terminal, reader, command, finger=None, attempts=3):
    """Runs a command that wants a finger, and gives it one."""
    terminal.begins(command)
    place, text = terminal.sees(TOUCH_PROMPT, PASSCODE_PROMPT, within=30)
    expect(place == 0, f"no finger was asked for:\n{text}")
    reader.touch(finger or reader.finger)
    place, text = terminal.sees(rf"<<{terminal.commands}:\d+>>", GIVEN_UP, within=60)
    if place == 1 and attempts > 1:
        # On a busy host the guest stands still for a second, and signetd counts as silent then. That is not what is tested here.
        print("  once more: signetd was silent for too long", flush=True)
        reader.does("lift")
        terminal.interrupts()
        return asks_by_finger(terminal, reader, command, finger, attempts - 1)
    return terminal.ends()


def asks_by_passcode(terminal, command, passcode, prompt=PASSCODE_PROMPT):
    """Runs a command that wants a passcode at once."""
    terminal.begins(command)
    place, text = terminal.sees(prompt, TOUCH_PROMPT, within=30)
    expect(place == 0, f"a finger was asked for:\n{text}")
    terminal.answers(passcode)
    return terminal.ends()
