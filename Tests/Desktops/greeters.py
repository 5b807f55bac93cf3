"""Display managers, as Debian has them: the real daemon, its greeter, and a session that says that it has begun. Their X server is Xvfb."""
from desk import USER
from screen import SOFTWARE, Display

BEGUN = "/run/session-has-begun"
X_SERVER = """#!/bin/sh
# Of what an X server on a real screen gets, this one knows less.
display= authority= descriptor=
while [ $# -gt 0 ]; do
  case $1 in
    :*) display=$1 ;;
    -auth) authority=$2; shift ;;
    -displayfd) descriptor=$2; shift ;;
  esac
  shift
done
exec Xvfb $display ${authority:+-auth "$authority"} ${descriptor:+-displayfd "$descriptor"} -noreset -screen 0 800x600x24
"""
SESSION = f"""#!/bin/sh
: > {BEGUN}
exec sleep 1000
"""
ENTRY = "[Desktop Entry]\nType=Application\nName=Test\nExec=/usr/local/bin/test-session\n"


class Greeter:
    """Open when the user's session has begun."""
    authority = ""
    clear = "ctrl+a"
    asks_both = False

    def __init__(self, desk):
        self.desk, self.on = desk, Display(desk, self.authority)

    def starts(self):
        self.desk.writes("/usr/local/bin/test-x", X_SERVER, 0o755)
        self.desk.writes("/usr/local/bin/test-session", SESSION, 0o755)
        self.desk.writes("/var/lib/test-sessions/test.desktop", ENTRY)
        self.desk.writes(BEGUN, "", 0o666)
        self.desk.does(f"rm {BEGUN}; chmod 1777 /run")
        self.configures()
        self.desk.starts_bus()
        self.process = self.desk.starts(self.words, environment=SOFTWARE, log=self.desk.log)
        self.desk.wait_for("the greeter", lambda: self.on.tool("getmouselocation")[0] and self.is_ready())

    def types(self, text):
        self.on.types(text, self.clear)

    def is_open(self):
        return self.desk.exists(BEGUN)

    def is_told_of_lock(self):
        return self.desk.is_told_of_lock(self.service)


class LightDM(Greeter):
    service = "lightdm"
    asks_both = True
    program = "/usr/sbin/lightdm"
    words = [program, "--debug"]
    authority = "/run/lightdm/root/:0"

    def configures(self):
        self.desk.writes("/etc/lightdm/lightdm.conf", """[LightDM]
start-default-seat=true
logind-check-graphical=false
sessions-directory=/var/lib/test-sessions
[Seat:*]
xserver-command=/usr/local/bin/test-x
greeter-hide-users=false
greeter-session=lightdm-gtk-greeter
session-wrapper=/usr/bin/env
user-session=test
""")
        self.desk.writes("/var/lib/lightdm/.cache/lightdm-gtk-greeter/state", f"[greeter]\nlast-user={USER}\nlast-session=test\n")
        self.desk.does("install -d /var/log/lightdm /var/cache/lightdm; chown -R lightdm: /var/lib/lightdm")

    def is_ready(self):
        # It asks for the last user from its beginning on.
        return self.desk.is_asking()


class SDDM(Greeter):
    service = "sddm"
    program = "/usr/bin/sddm"
    words = [program]
    authority = "/run/sddm/*"

    def is_ready(self):
        return self.on.has_focus()

    def configures(self):
        uid = self.desk.does(f"id -u {USER}").strip()
        self.desk.writes("/etc/sddm.conf.d/test.conf", f"""[General]
InputMethod=
[Users]
MinimumUid={uid}
MaximumUid={uid}
[X11]
ServerPath=/usr/local/bin/test-x
SessionDir=/var/lib/test-sessions
[Wayland]
SessionDir=/var/lib/no-sessions
""")
