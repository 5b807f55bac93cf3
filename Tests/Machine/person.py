"""What the three users of the guest do, and the emulated reader under their hands."""
import time

from stories import expect

PASSCODES = {"alice": "Corr3ct-Horse", "bob": "B0b-Battery", "carol": "Car0l-Staple"}
PASSCODE_PROMPT = r"(?i)(passcode|password)[^\n]*: $"
TOUCH_PROMPT = r"Touch the fingerprint reader[^\n]*\n"
OWN_FINGER, OTHER_FINGER = "/mnt/prints/whorl.png", "/mnt/prints/loop-right.png"
DONE = r"@@\$ $"


class Reader:
    """An emulated reader in the guest. `finger` and `other` are what it is touched with."""

    def __init__(self, machine, kind="nb1010", name="reader"):
        self.machine, self.kind = machine, kind
        self.socket = f"/run/{name}.sock"
        self.finger, self.other = (OWN_FINGER, OTHER_FINGER) if kind == "nb1010" else ("right-index", "left-index")
        machine.does(f"systemd-run --quiet --unit={name} /usr/bin/python3 -B /mnt/readers/reader.py serve {kind} {self.socket}")

    def does(self, *words):
        return self.machine.does(f"/mnt/readers/reader.py {self.socket} {' '.join(map(str, words))}").strip()

    def plug(self):
        self.does("plug")
        self.machine.does("udevadm settle")

    def touch(self, finger, count=1):
        self.does("touch", finger, count)

    def scans(self):
        return int(self.does("scans").split()[1])


def logs_in_by_passcode(terminal, user):
    return terminal.logs_in(user, PASSCODES[user], prompt=PASSCODE_PROMPT)


def enrolls(terminal, reader, user, finger="right-index-finger"):
    terminal.types(f"signet enroll {finger}\r")
    terminal.sees(r"asscode[^\n]*: $")
    time.sleep(0.2)
    terminal.types(PASSCODES[user] + "\r")
    terminal.sees(r"(?i)touch")
    reader.touch(reader.finger, 12)
    text = terminal.sees(DONE, within=120)[1]
    reader.does("lift")
    return text


def asks_by_finger(terminal, reader, command, finger=None):
    """Runs a command that wants a finger, and gives it one."""
    terminal.types(command + '; echo "<<$?>>"\r')
    shown = terminal.sees(TOUCH_PROMPT, within=30)[1]
    reader.touch(finger or reader.finger)
    text = terminal.sees(r"<<(\d+)>>\r\n", within=60)[1]
    status = int(terminal.screen.match.group(1))
    terminal.sees(DONE)
    return status, shown + text


def asks_by_passcode(terminal, command, passcode, prompt=PASSCODE_PROMPT):
    """Runs a command that wants a passcode at once."""
    terminal.types(command + '; echo "<<$?>>"\r')
    place, shown = terminal.sees(prompt, TOUCH_PROMPT, within=30)
    expect(place == 0, f"a finger was asked for:\n{shown}")
    time.sleep(0.2)
    terminal.types(passcode + "\r")
    text = terminal.sees(r"<<(\d+)>>\r\n", within=60)[1]
    status = int(terminal.screen.match.group(1))
    terminal.sees(DONE)
    return status, shown + text
