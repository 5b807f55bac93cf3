"""A window for passwords, as Debian has it: it knows libsecret, and finds the vault behind its name. What is asked for is asked by
signet-prompt, in windows of its own."""
import json
import os

from desk import CHECKOUT, PASSCODE, USER, Failure, wait
from screen import Display
from settings import PICTURES, SESSION_BUS

BUS_FILE = "dbus-1/services/org.freedesktop.secrets.service"
# A click that comes while a window is still being drawn is lost.
PATIENCE = 5


def keeps_passwords(host):
    """its window shows what another program stored and keeps a password of its own, and a finger or the passcode opens it"""
    host.starts()
    host.stores("Mail", "hunter 2", "user alice")
    host.opens()
    host.awaits("label", "Mail\nalice")
    host.adds("My bank", "penny wise")
    host.keeps("kept")
    assert host.finds("xdg:schema org.gnome.keyring.Note") == "penny wise"
    host.locks()
    assert host.finds("user alice") != "hunter 2"
    host.clicks("push button", "Unlock", host.desk.is_armed)
    host.keeps("finger")
    host.desk.touch("right")
    host.awaits("label", "My bank")
    host.desk.does(f"signet lock {USER}")
    host.clicks("push button", "Unlock", host.asks)
    host.keeps("passcode")
    host.answers(None)
    host.clicks("push button", "Unlock", host.asks)
    host.answers(PASSCODE)
    host.awaits("label", "Mail\nalice")
    assert host.finds("user alice") == "hunter 2"


def changes_passwords(host):
    """its window changes a password, makes a keyring, and deletes that and all that is in another"""
    host.starts()
    host.stores("Mail", "hunter 2", "user alice")
    host.opens()
    host.clicks("label", "Mail\nalice", host.shows("dialog", "Item Properties"), twice=True)
    host.fills("text", "Post")
    host.fills("password text", "better horse")
    host.keeps("changed")
    host.clicks("push button", "Close", host.shows("label", "Save changes for this item?"))
    host.clicks("push button", "OK", host.shows("label", "Post\nalice"))
    host.desk.wait_for("the new password", lambda: host.finds("user alice") == "better horse")
    host.chooses("Password keyring", "Add password keyring")
    host.fills("text", "Work")
    host.clicks("push button", "Add", host.shows("label", "Work"))
    host.keeps("keyrings")
    host.deletes("Work")
    host.awaits_end("label", "Work")
    host.deletes("Login")
    # It stays, and is empty.
    host.awaits_end("label", "Post\nalice")
    assert host.finds("user alice") == ""
    assert host.shows("label", "Login")()


class Seahorse:
    """GNOME's. Nobody but this one moves its windows: they are where the toolkit puts them."""
    program = "/usr/bin/seahorse"
    stories = [keeps_passwords, changes_passwords]

    def __init__(self, desk):
        self.desk, self.on = desk, Display(desk, size="1000x700")
        self.environment = self.on.environment | {
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + SESSION_BUS, "GSETTINGS_BACKEND": "memory",
            "SIGNET_PROMPT": desk.release + "/signet-prompt", "SIGNET_PINENTRY": "/usr/bin/pinentry-gtk-2"}

    def starts(self):
        """A session whose bus has Signet for passwords."""
        with open(f"{CHECKOUT}/Sources/helpers/signet-secrets/bus/{os.path.basename(BUS_FILE)}", encoding="utf-8") as file:
            text = file.read()
        place = f"/home/{USER}/.local/share/{BUS_FILE}"
        self.desk.writes(place, text.replace("/usr/libexec/signet/", self.desk.release + "/"))
        self.desk.does(f"chown -R {USER}: /home/{USER}/.local")
        self.on.starts()
        bus = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" + SESSION_BUS]
        self.desk.starts(bus, USER, self.environment, log=self.desk.log)
        self.desk.wait_for("a bus of the session", lambda: self.desk.exists(SESSION_BUS))

    def stores(self, label, secret, attributes):
        """By libsecret's own program: the first secret makes the vault, for which the passcode is asked for."""
        line = f"printf '%s' '{secret}' | secret-tool store --label '{label}' {attributes}"
        storing = self.desk.starts(["sh", "-c", line], USER, self.environment, log=self.desk.log)
        self.desk.wait_for("the question", self.asks)
        self.answers(PASSCODE)
        self.desk.wait_for("a secret that is stored", lambda: storing.poll() is not None)
        assert storing.returncode == 0

    def finds(self, attributes):
        """What libsecret's own program finds, and asks for nothing: of what is locked, nothing."""
        said = self.desk.tries(f"secret-tool search {attributes} 2>/dev/null", USER, self.environment)[1]
        return next((line.removeprefix("secret = ") for line in said.splitlines() if line.startswith("secret = ")), "")

    def opens(self):
        self.desk.starts([self.program], USER, self.environment, log=self.desk.log)
        self.desk.wait_for("a window", lambda: self.on.windows() == 1)

        def has_room():
            """For the keyrings and what is in one of them, beside each other."""
            self.on.presses(f"windowsize {self.window()} 1000 700")
            self.on.rests()
            return self.parts("label", "Login")
        self.desk.wait_for("its keyrings", has_room)
        self.clicks("label", "Login", self.shows("label", "Mail\nalice"))

    def window(self):
        """The one on top."""
        return [word for word in self.on.tool("search --onlyvisible --maxdepth 1 .")[1].split() if word.isdigit()][-1]

    # What is asked for

    def asks(self):
        return self.on.tool("search --onlyvisible --class pinentry")[0]

    def answers(self, passcode):
        """With nothing: cancels."""
        self.on.rests()
        if passcode:
            self.on.presses(f"type '{passcode}'")
        self.on.presses("key Return" if passcode else "key Escape")
        self.desk.wait_for("the end of the question", lambda: not self.asks())

    # What it shows, and hands do

    def parts(self, role, name):
        """From the left."""
        with open(CHECKOUT + "/Tests/Desktops/parts.py", encoding="utf-8") as file:
            seen, said = self.desk.tries(f"/usr/bin/python3 - 2>&1 <<'END'\n{file.read()}\nEND\n", USER, self.environment)
        if not seen:
            raise Failure(said)
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("[")]
        return sorted((line for line in lines if line[0] == role and line[1] == name), key=lambda line: line[3])

    def shows(self, role, name):
        return lambda: bool(self.parts(role, name))

    def awaits(self, role, name):
        self.desk.wait_for(name, self.shows(role, name))

    def awaits_end(self, role, name):
        self.desk.wait_for(f"the end of {name}", lambda: not self.parts(role, name))

    def place(self, role, name):
        self.awaits(role, name)
        self.on.rests()
        *_, x, y, width, height = self.parts(role, name)[0]
        return f"mousemove {x + width // 2} {y + height // 2}"

    def clicks(self, role, name, until, twice=False, button=1):
        """Until that has an effect."""
        def has_effect():
            if until():
                return True
            place = self.place(role, name)
            self.on.presses(f"{place} click {'--repeat 2 --delay 60 ' if twice else ''}{button}")
            try:
                return wait("", until, PATIENCE)
            except Failure:
                return False
        self.desk.wait_for(f"a click at {name}", has_effect)

    def fills(self, role, text):
        """The field of this role."""
        self.awaits(role, "")
        *_, x, y, _, height = self.parts(role, "")[0]
        self.on.presses(f"windowfocus {self.window()} mousemove {x + 20} {y + height // 2} click 1 key ctrl+a type '{text}'")

    def chooses(self, what, title):
        """Something new."""
        self.clicks("toggle button", "Menu", self.shows("label", what))
        self.clicks("label", what, self.shows("dialog", title))

    def adds(self, name, password):
        self.chooses("Password", "Add Password")
        self.fills("text", name)
        self.fills("password text", password)
        self.clicks("push button", "Add", self.shows("label", name))

    def locks(self):
        self.clicks("push button", "", self.shows("push button", "Unlock"))

    def deletes(self, keyring):
        self.clicks("label", keyring, self.shows("menu item", "Delete"), button=3)
        question = "I understand that all items will be permanently deleted."
        self.clicks("menu item", "Delete", self.shows("check box", question))
        self.on.presses(self.place("check box", question) + " click 1")
        self.clicks("push button", "Delete", lambda: not self.parts("check box", question))

    def keeps(self, what):
        """A picture, for whoever wants to see it."""
        self.on.rests()
        os.makedirs(PICTURES, exist_ok=True)
        self.on.saves(f"{PICTURES}/{type(self).__name__}-{what}.png")


HOSTS = [Seahorse]
