"""Settings of desktops, as Debian has them: they know fprintd, and find Signet behind its name. Where a finger is enrolled or deleted, a real
polkit asks for the passcode, by its agent for terminals. A machine of its own has no logind: a rule of polkit's says what else the place at
the machine would."""
import os
import pty
import select

from desk import CHECKOUT, PASSCODE, USER, Failure, read, wait
from screen import Display

PICTURES = CHECKOUT + "/.build/desktops/pictures"
BUS_FILES = CHECKOUT + "/Sources/helpers/signet-fprint/bus"
ACTIONS = "/usr/share/polkit-1/actions"
SYSTEM_BUS = "unix:path=/run/dbus/system_bus_socket"
SESSION_BUS = f"/run/user/{USER}/bus"
RULE = """polkit.addRule(function(action, subject) {
  if (action.id == "net.reactivated.fprint.device.enroll") return polkit.Result.AUTH_SELF;
});
"""
# A click that comes while a window is still being drawn is lost.
PATIENCE = 5


def changes_fingers(host):
    """its settings list a finger, enroll another one with the passcode, and delete both"""
    host.starts()
    host.opens_fingers()
    host.keeps("listed")
    host.asks_to_enroll()
    host.agent.answers("Password: ", PASSCODE)
    for _ in range(5):
        host.desk.touch("left")
    host.desk.wait_for("a second finger", lambda: "finger enrolled finger=left-thumb" in host.desk.logged())
    host.keeps("enrolled")
    host.asks_to_delete()
    host.agent.answers("Password: ", PASSCODE)
    host.desk.wait_for("no finger", lambda: host.desk.logged().count("finger deleted") == 2)
    host.keeps("deleted")


class Agent:
    """Of polkit's, for one program."""

    def __init__(self, desk, pid):
        self.screen = ""
        # A pipe with a name: of an inherited descriptor whoever enters the desk would keep a copy.
        told = "/run/agent"
        os.mkfifo(desk.root + told)
        desk.does(f"chown {USER} {told}")
        words = desk.inside(["sh", "-c", f"exec 9> {told}; exec pkttyagent --process {pid} --notify-fd 9"], USER)
        child, self.terminal = pty.fork()
        if child == 0:
            os.execvp(words[0], words)
        with open(desk.root + told, "rb") as end:
            end.read()

    def asks(self, question):
        while select.select([self.terminal], [], [], 0)[0] and (text := read(self.terminal)):
            self.screen += text
        return question in self.screen

    def answers(self, question, answer):
        wait(f"polkit to ask: {self.screen}", lambda: self.asks(question))
        self.screen = ""
        os.write(self.terminal, answer.encode() + b"\n")


class Settings:
    """Nobody but this one moves its windows: they are where the toolkit puts them."""
    service = "fprint"
    stories = [changes_fingers]

    def __init__(self, desk):
        self.desk, self.on = desk, Display(desk, size="1200x800")

    def starts(self):
        self.desk.does(f"""
            cp -r {ACTIONS} /run/actions
            cp {BUS_FILES}/net.reactivated.fprint.device.policy /run/actions
            mount --bind /run/actions {ACTIONS}
            cp {BUS_FILES}/net.reactivated.Fprint.conf /etc/dbus-1/system.d""")
        self.desk.writes("/etc/polkit-1/rules.d/10-test.rules", RULE)
        self.desk.starts_bus()
        self.desk.starts(["/usr/lib/polkit-1/polkitd", "--no-debug"], log=self.desk.log)
        self.desk.starts(["/usr/libexec/accounts-daemon"], log=self.desk.log)
        rights = ["setpriv", "--reuid", "signet-fprint", "--regid", "signet-fprint", "--clear-groups"]
        self.desk.starts(rights + [self.desk.release + "/signet-fprint", "--bus", SYSTEM_BUS], log=self.desk.log)
        for name in ("org.freedesktop.PolicyKit1", "org.freedesktop.Accounts", "net.reactivated.Fprint"):
            self.desk.wait_for(name, lambda name=name: self.desk.tries(f"gdbus wait --system --timeout 1 {name}")[0])
        self.on.starts()
        self.starts_program()

    def starts_program(self):
        environment = self.on.environment | self.environment | {"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + SESSION_BUS}
        bus = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" + SESSION_BUS]
        self.desk.starts(bus, USER, environment)
        self.desk.wait_for("a bus of the session", lambda: self.desk.exists(SESSION_BUS))
        self.desk.starts([self.program] + self.words, USER, environment, log=self.desk.log)
        self.desk.wait_for("a window", lambda: self.on.windows() == 1)
        name = os.path.basename(self.program)[:15]
        self.agent = Agent(self.desk, self.desk.does(f"pgrep -x {name}").strip())

    def clicks(self, x, y, until=None):
        """Until the picture is another one; or once more until something is so."""
        self.on.presses(f"mousemove {x} {y}")
        end = until or self.on.has_changed(self.on.rests())

        def has_effect():
            self.on.presses("click 1")
            try:
                return wait("", end, PATIENCE)
            except Failure:
                return False
        self.desk.wait_for(f"a click at {x}, {y}", has_effect)
        self.on.rests()

    def keeps(self, what):
        """A picture, for whoever wants to see it."""
        self.on.rests()
        os.makedirs(PICTURES, exist_ok=True)
        self.on.saves(f"{PICTURES}/{type(self).__name__}-{what}.png")


class GnomeSettings(Settings):
    program = "/usr/bin/gnome-control-center"
    words = ["user-accounts"]
    environment = {"XDG_CURRENT_DESKTOP": "GNOME", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory"}

    def opens_fingers(self):
        self.on.rests()
        self.keeps("users")
        self.clicks(627, 423, lambda: self.on.windows() == 2)

    def asks_to_enroll(self):
        # "Scan new fingerprint", and of its menu "Left thumb".
        self.clicks(378, 191, lambda: self.on.windows() == 3)
        self.clicks(377, 325, lambda: self.agent.asks("Password: "))

    def asks_to_delete(self):
        # "Done", "Delete Fingerprints", "Yes".
        self.clicks(540, 28)
        self.clicks(473, 338)
        self.clicks(94, 75, lambda: self.agent.asks("Password: "))


class PlasmaSettings(Settings):
    program = "/usr/bin/kcmshell5"
    words = ["kcm_users"]
    environment = {"XDG_CURRENT_DESKTOP": "KDE"}

    def opens_fingers(self):
        # "Configure Fingerprint Authentication".
        self.clicks(700, 703)

    def asks_to_enroll(self):
        # "Add", and the thumb of the left hand.
        self.clicks(788, 653)
        self.clicks(697, 502, lambda: self.agent.asks("Password: "))

    def asks_to_delete(self):
        # "Done", "Clear All".
        self.clicks(788, 653)
        self.clicks(696, 653, lambda: self.agent.asks("Password: "))


HOSTS = [GnomeSettings, PlasmaSettings]
