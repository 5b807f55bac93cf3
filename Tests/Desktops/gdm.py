"""gdm's own session worker with Debian's stack for passwords, beside what its daemon does (gdm_session.py). Its greeter is gnome-shell,
which shows each message, and has a field that is grey until a question comes."""
import os
import subprocess

from desk import CHECKOUT, USER
from stories import beside, locked_beside

# Where Debian's package is unpacked, so that gnome-shell need not be installed.
PACKAGE = os.environ.get("SIGNET_GDM", "")


class GDM:
    service = "gdm-password"
    asks_both = False
    program = PACKAGE + "/usr/libexec/gdm-session-worker"

    def __init__(self, desk):
        self.desk = desk

    def starts(self):
        if PACKAGE:
            self.unpacks()
        self.desk.starts_bus()
        with open(self.desk.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.desk.inside(["/usr/bin/python3", "-B", CHECKOUT + "/Tests/Desktops/gdm_session.py", self.program, USER, self.service]),
                stdin=subprocess.PIPE, stdout=log, stderr=log, text=True)
        self.awaits_worker()

    def awaits_worker(self):
        self.desk.wait_for("a question", self.asks)

    def unpacks(self):
        """Puts the package's files where the worker looks for them. What covers a part of /usr/share stays."""
        folder = self.desk.folder
        self.desk.does(f"""
            cp {PACKAGE}/etc/pam.d/{self.service} /etc/pam.d
            cp -r {PACKAGE}/etc/gdm3 /etc
            getent passwd gdm > /dev/null || useradd --system gdm
            mkdir -p {folder}/share/upper {folder}/share/work {folder}/words
            mount --bind /usr/share/locale {folder}/words
            mount -t overlay -o lowerdir=/usr/share,upperdir={folder}/share/upper,workdir={folder}/share/work share /usr/share
            mount --bind {folder}/words /usr/share/locale
            cp -r {PACKAGE}/usr/share/gdm /usr/share""")

    def asks(self):
        return "\nasks " in self.desk.logged()

    def types(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def is_open(self):
        return "\nauthenticated\n" in self.desk.logged()

    def is_told_of_lock(self):
        """As a person is."""
        return any(f"\n{kind} Fingerprints are locked" in self.desk.logged() for kind in ("info", "problem"))


class GDMBeside(GDM):
    """The worker that gdm starts beside the other one, with the file that Debian has for fprintd's module."""
    service = "gdm-fingerprint"
    stories = [beside, locked_beside]

    def awaits_worker(self):
        pass

    def starts(self):
        self.desk.does(f"install -m 644 {self.desk.release}/libpam_fprintd.so $(dirname /lib/*/security/pam_unix.so)/pam_fprintd.so")
        super().starts()

    def has_failed(self):
        return "\nfailed " in self.desk.logged()
