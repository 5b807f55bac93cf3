"""Programs that lock a user's screen, as Debian has them."""
from desk import USER, CHECKOUT
from screen import Compositor, Display


class Locker:
    """Open when it has ended: nothing locks the screen then."""
    screen = Display
    service = ""
    program = ""
    # What empties the field.
    clear = "ctrl+u"
    # Whether a finger ends its question, too.
    asks_both = False

    def __init__(self, desk):
        self.desk, self.on = desk, self.screen(desk)

    def starts(self):
        self.on.starts()
        self.process = self.desk.starts(self.words, USER, self.on.environment, self.desk.log)

    def types(self, text):
        self.on.types(text, self.clear)

    def is_open(self):
        return self.process.poll() == 0

    def is_told_of_lock(self):
        return self.desk.is_told_of_lock(self.service)


class XSecureLock(Locker):
    # So Debian has compiled it.
    service = "common-auth"
    asks_both = True
    program = "/usr/bin/xsecurelock"
    words = ["env", "XSECURELOCK_NO_COMPOSITE=1", program]

    def starts(self):
        super().starts()
        self.desk.wait_for("its dialog", self.asks)

    def asks(self):
        self.on.presses("key shift")
        return self.desk.is_asking()


class I3lock(Locker):
    service = "i3lock"
    program = "/usr/bin/i3lock"
    words = [program, "--nofork"]


class Swaylock(Locker):
    screen = Compositor
    service = "swaylock"
    program = "/usr/bin/swaylock"
    # Detached once the screen is locked.
    words = [program, "--daemonize"]

    def starts(self):
        super().starts()
        self.desk.wait_for("a locked screen", lambda: self.process.poll() == 0)

    def is_open(self):
        return not self.desk.is_running("swaylock")


class KScreenLocker(Locker):
    service = "kde"
    program = "/usr/lib/x86_64-linux-gnu/libexec/kscreenlocker_greet"
    # A module of Plasma's workspace that its own theme asks for, and needs for other users' sessions only.
    words = ["env", f"QML2_IMPORT_PATH={CHECKOUT}/Tests/Desktops/qml", program, "--testing"]
    clear = "ctrl+a"

    def starts(self):
        super().starts()
        self.desk.wait_for("a window that takes keys", lambda: self.on.has_focus())


class XScreenSaver(Locker):
    """Open when nothing of it covers the screen any more: the program itself goes on."""
    service = "xscreensaver"
    program = "/usr/bin/xscreensaver"
    words = [program, "--no-splash"]
    # It has a field without commands.
    clear = " ".join(["BackSpace"] * 16)

    def starts(self):
        self.desk.writes(f"/home/{USER}/.xscreensaver", "mode: blank\nlock: True\nlockTimeout: 0\nfade: False\nunfade: False\n")
        super().starts()
        self.desk.wait_for("a locked screen", lambda: self.desk.tries("xscreensaver-command -lock", USER, self.on.environment)[0])
        self.desk.wait_for("its dialog", self.asks)

    def asks(self):
        if not self.desk.is_running("xscreensaver-auth"):
            self.on.presses("key BackSpace")
        return self.desk.is_asking()

    def types(self, text):
        if not self.is_open():
            self.desk.wait_for("its dialog", self.asks)
        super().types(text)

    def is_open(self):
        covered = self.desk.is_running("xscreensaver-auth") or self.desk.is_running("xscreensaver-gfx")
        return not covered and self.process.poll() is None
