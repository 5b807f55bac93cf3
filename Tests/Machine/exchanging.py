"""fprintd and signet-fprintd take each other's place."""
import re
import shlex

from installing import INSTALL
from person import logs_in_by_passcode
from stories import expect, expect_in

# Debian's own packages, which the image has.
FPRINTD = INSTALL + "/usr/local/share/fprintd/*.deb 2>&1"
SIGNET = INSTALL + "/mnt/packages/libpam-signet_*.deb /mnt/packages/signet-fprintd_*.deb 2>&1"

# A package that brings a file as gdm3 does, which names fprintd's module whether or not that is there.
GREETER = """set -e; rm -rf /tmp/greeter; mkdir -p /tmp/greeter/DEBIAN /tmp/greeter/etc/pam.d; cd /tmp/greeter
printf 'Package: greeter\\nVersion: 1\\nArchitecture: all\\nMaintainer: tests\\nDescription: a greeter\\n' > DEBIAN/control
echo /etc/pam.d/gdm-fingerprint > DEBIAN/conffiles
echo 'auth required pam_fprintd.so' > etc/pam.d/gdm-fingerprint
dpkg-deb -Znone --root-owner-group -b . /tmp/greeter.deb && dpkg -i /tmp/greeter.deb"""

# Writes down each file that names a module which is not there. The greeter's may: it is a conversation beside another one.
WATCH = """
import glob, os, re, time
known = set()
modules = os.path.dirname(glob.glob("/lib/*/security/pam_unix.so")[0])
def names(path):
    try:
        return set(re.findall(r"^[^#\\n-][^#\\n]*?(pam_\\w+\\.so)", open(path).read(), re.M))
    except OSError:
        return set()
while True:
    for path in glob.glob("/etc/pam.d/*"):
        for name in names(path) if not path.endswith("fingerprint") else ():
            # What was taken from the file and from the disk in between was in neither at the end.
            if not os.path.exists(f"{modules}/{name}") and name in names(path) and (path, name) not in known:
                known.add((path, name))
                print(path, name, file=open("/run/missing", "a"))
    time.sleep(0.2)
"""
PRINT = "/var/lib/fprint/alice/reader/0/7"


def takes_place(machine, command, leavers):
    """Installs something; what goes is this, and nothing else."""
    text = machine.does(command, within=300)
    gone = set(re.findall(r"^Removing ([a-z0-9-]+)", text, re.M))
    expect(gone == leavers, f"{gone} went, and not {leavers}:\n{text}")
    expect_in("a finger", machine.does(f"cat {PRINT}"))
    expect(machine.asks("ls /lib/*/security/pam_fprintd.so").succeeded, "the greeter's file names a module that is not there")


def answers(machine, unit):
    """Who has fprintd's name on the bus."""
    machine.does("busctl call net.reactivated.Fprint /net/reactivated/Fprint/Manager net.reactivated.Fprint.Manager GetDevices", within=60)
    expect(machine.asks(f"systemctl is-active {unit}").succeeded, f"{unit} does not run")


def fprintd(story, machine, desk):
    with story.step("fprintd comes in Signet's place, and nothing else goes"):
        machine.does(GREETER)
        machine.does(f"mkdir -p {PRINT[:-2]} && echo a finger > {PRINT}; : > /run/missing")
        machine.does("systemd-run -q -p Nice=19 --unit watch-pam python3 -c " + shlex.quote(WATCH))
        answers(machine, "signet-fprint.service")
        takes_place(machine, FPRINTD, {"signet-fprintd", "libpam-signet"})
        answers(machine, "fprintd.service")
        machine.does("pam-auth-update --enable fprintd")
    with story.step("signet-fprintd comes in fprintd's place, whose prints stay, and the password works"):
        takes_place(machine, SIGNET, {"fprintd", "libpam-fprintd"})
        answers(machine, "signet-fprint.service")
        desk.logs_out()
        logs_in_by_passcode(desk, "alice")
    with story.step("its removal is refused while a file that was edited by hand names its module"):
        machine.does("echo 'auth sufficient pam_fprintd.so' > /etc/pam.d/by-hand")
        refused = machine.asks("apt-get -q remove -y signet-fprintd 2>&1", within=100)
        expect(not refused.succeeded, "it was removed:\n" + refused.output)
        expect_in("/etc/pam.d/by-hand", refused.output)
        machine.does("rm /etc/pam.d/by-hand && apt-get -q remove -y signet-fprintd 2>&1", within=100)
        answer = machine.asks("systemctl is-active signet-fprint.service")
        expect(not answer.succeeded, "its process stays")
    with story.step("at no moment does PAM name a module that is not there"):
        missing = machine.does("systemctl is-active watch-pam > /dev/null && systemctl stop watch-pam && cat /run/missing")
        expect(not missing.strip(), missing)
