"""The package is upgraded, downgraded, removed, purged, and comes again."""
import glob
import json
import os
import shutil
import subprocess

from exchanging import fprintd
from installing import INSTALL
from person import PASSCODES, asks_by_passcode, logs_in_by_passcode
from stories import expect, expect_in, expect_not_in

APT = "DEBIAN_FRONTEND=noninteractive apt-get -q"
PACKAGES = "signet signet-agent libpam-signet signet-passkey"
# signet-fprintd goes with libpam-signet, also where that stays: then apt does not know it any more, either.
REMOVE = f"{APT} remove -y {PACKAGES} libsignet0 signet-pkcs11 libsignet-dev libsignet-swift-dev 2>&1"
# The libraries left nothing behind: apt does not know them any more.
REMOVE_AGAIN = f"{APT} remove -y {PACKAGES} 2>&1"
PURGE = f"{APT} purge -y {PACKAGES} 2>&1"


def repack(share):
    """Another version of each package: what apt takes for an upgrade. Its control file alone is different. Done here, because a guest takes
    minutes for it."""
    shutil.rmtree(share + "/next", ignore_errors=True)
    os.makedirs(share + "/next")
    tree = share + "/next/tree"
    for package in glob.glob(share + "/packages/*.deb"):
        subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
        with open(tree + "/DEBIAN/control", encoding="utf-8") as file:
            control = file.read()
        version = next(line.removeprefix("Version: ") for line in control.splitlines() if line.startswith("Version: "))
        with open(tree + "/DEBIAN/control", "w", encoding="utf-8") as file:
            file.write(control.replace(f"Version: {version}", f"Version: {version}+next").replace(f"(= {version})", f"(= {version}+next)"))
        subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "-b", tree, share + "/next"], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)


def packages(story, machine):
    with story.step("an upgrade goes on in the same process, with the new program and the open session"):
        machine.new_disk(machine.installed)
        machine.boot()
        desk = machine.console(1)
        logs_in_by_passcode(desk, "alice")
        repack(machine.share)
        before = machine.does("systemctl show -P MainPID signetd").strip()
        expect(before != "0", "signetd does not run")
        machine.does(INSTALL + "/mnt/next/*.deb 2>&1", within=300)
        expect_in("+next", machine.does("dpkg-query -W -f '${Version}' signet"))
        # On a busy host it has ended by now, because nobody needs it, where nothing keeps the keys of vaults for the next program.
        began = machine.does("journalctl -b -u signetd -o json --output-fields=_PID,MESSAGE --no-pager").splitlines()
        began = [line["_PID"] for line in map(json.loads, began) if line["MESSAGE"] == "ready"]
        expect(began[-2:] == [before, before], f"signetd was {before}, and began as {began}")
        expect_not_in("deleted", machine.asks(f"readlink /proc/{before}/exe").output)
        has_token(desk)
        expect_in("pam_signet", machine.does("cat /etc/pam.d/common-auth"))
    with story.step("a downgrade does the same"):
        machine.does(INSTALL + "--allow-downgrades /mnt/packages/*.deb 2>&1", within=300)
        expect_not_in("+next", machine.does("dpkg-query -W -f '${Version}' signet"))
        has_token(desk)
        expect_not_in("signet", machine.does("systemctl --failed --no-legend"))
    with story.step("a removal is refused while a stack that was edited by hand names the module, and the password works"):
        machine.does("sed -i '1i auth sufficient pam_signet.so' /etc/pam.d/su && sed -i '/pam_signet/ s/$/ /' /etc/pam.d/common-auth")
        refused = machine.asks(REMOVE, within=200)
        expect(not refused.succeeded, "it was removed:\n" + refused.output)
        expect_in("/etc/pam.d/su", refused.output)
        machine.does("test -e /lib/*/security/pam_signet.so || test -e /usr/lib/*/security/pam_signet.so")
        su_works(machine)
    with story.step("after the lines are taken out it is removed, and the password works"):
        machine.does("sed -i '/pam_signet/d' /etc/pam.d/*")
        machine.does(REMOVE, within=200)
        expect(not machine.asks("grep -rls pam_signet /etc/pam.d").output.strip(), "a stack names the module")
        desk.logs_out()
        logs_in_by_passcode(desk, "bob")
        machine.does("test -d /var/lib/signet")
    with story.step("a second removal does nothing, and a purge that nobody answers leaves fingers and vaults, and says where"):
        machine.does(REMOVE_AGAIN, within=200)
        expect_in("fingers and vaults stay in /var/lib/signet", machine.does(PURGE, within=200))
        expect(machine.asks("ls -d /var/lib/signet /etc/signet /run/signet 2>/dev/null").output.strip() == "/var/lib/signet", "not so")
    with story.step("answered with yes it takes fingers, vaults and settings"):
        machine.does(INSTALL + "/mnt/packages/signet_*.deb 2>&1", within=300)
        machine.does("echo signet signet/delete-state boolean true | debconf-set-selections")
        machine.does(f"{APT} purge -y signet 2>&1", within=200)
        expect(not machine.asks("ls -d /var/lib/signet /etc/signet /run/signet 2>/dev/null").output.strip(), "state is left")
        left = machine.asks("find / -xdev -name '*signet*' -not -path '/proc/*' -not -path '/mnt/*' -not -path '/tmp/*' "
                            "-not -path '/var/lib/apt/*' -not -path '/var/log/*' 2>/dev/null").output
        expect(not [line for line in left.splitlines() if not line.startswith(("/etc/hostname", "/var/cache"))], "left:\n" + left)
        expect_not_in("signet", machine.does("systemctl --failed --no-legend"))
    with story.step("it is installed again, and works"):
        machine.does(INSTALL + "/mnt/packages/*.deb 2>&1", within=300)
        # The stacks were edited by hand, which it has to be told to overwrite.
        machine.does("pam-auth-update --force --enable signet")
        expect_in("pam_signet", machine.does("cat /etc/pam.d/common-auth"))
        desk.logs_out()
        # Nobody has a finger any more, so nothing of the login changes.
        expect_in("Password: ", logs_in_by_passcode(desk, "alice")[0])
        status, text = desk.runs("signet status")
        expect(status == 0, text)
        expect_in("none. Enroll one with: signet enroll", text)
    with story.step("the packages' own tests pass there, which autopkgtest runs"):
        tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/tools/packaging/debian/tests")
        shutil.copytree(tests, machine.share + "/tests", dirs_exist_ok=True)
        for name in ("passcode", "library"):
            machine.does(f"/mnt/tests/{name} 2>&1", within=120)
    fprintd(story, machine, desk)
    machine.shut_down()


def has_token(terminal):
    status, text = terminal.runs("signet token")
    expect(status == 0, "the session has no token:\n" + text)


def su_works(machine):
    terminal = machine.console(2)
    logs_in_by_passcode(terminal, "carol")
    status, text = asks_by_passcode(terminal, "su bob -c 'id -un'", PASSCODES["bob"])
    expect(status == 0, text)
    terminal.logs_out()
    machine.console(1)
