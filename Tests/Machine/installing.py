"""The package comes to a machine, and the machine is started anew."""
import os
import time

from person import PASSCODES, TOUCH_PROMPT, Reader, asks_by_finger, enrolls, logs_in_by_passcode
from stories import expect, expect_in, expect_not_in
from terminal import PASSCODE_PROMPT

# What the guest has no network for, and what apt asks of who sits there.
APT_QUIETLY = 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false";'
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "


def first_commands(readme=os.path.join(os.path.dirname(__file__), "../../README.md")):
    """The commands that lead from the packages to a finger that opens sudo, as README has them: what apt installs, the profile, a finger."""
    with open(readme, encoding="utf-8") as text:
        section = text.read().split("\n## Install\n", 1)[1].split("\n## ", 1)[0]
    block = next(block for block in section.split("\n\n") if block.startswith("    "))
    commands = [line.split("#")[0].strip() for line in block.splitlines()]
    expect(len(commands) <= 3, f"README takes {len(commands)} commands")
    return commands


def boots(machine):
    """Starts the guest; returns the seconds from power to a getty's `login:`."""
    machine.boot()
    began = machine.began
    machine.serial(1).sees("login: $", within=240)
    return time.monotonic() - began


def without_signet(story, machine):
    """The same machine without Signet, to compare with."""
    with story.step("the machine starts without Signet"):
        machine.new_disk()
        story.report.figure("seconds to the login prompt without Signet", round(boots(machine), 1))
        machine.asks("systemctl is-system-running --wait", within=200)
        machine.failed = failed_units(machine)
        story.report.figure("MiB of all units without Signet", memory(machine))


def memory(machine):
    """What all units of the system have of their own, without what is cached of the disk, in MiB."""
    rows = dict(line.split() for line in machine.does("cat /sys/fs/cgroup/system.slice/memory.stat").splitlines())
    return round((int(rows["anon"]) + int(rows["kernel"])) / 1048576, 1)


def failed_units(machine):
    """Units that do not run in such a guest at all are none of Signet's."""
    return {line.split()[0] for line in machine.does("systemctl --failed --no-legend --plain").splitlines()}


def installs(story, machine):
    apt, profile, enrolling = first_commands()
    with story.step("apt installs what README names, and says that no login asks Signet yet"):
        machine.does(f"echo '{APT_QUIETLY}' > /etc/apt/apt.conf.d/90quietly")
        told = machine.does(f"cd /mnt/packages && DEBIAN_FRONTEND=noninteractive {apt.removeprefix('sudo ')} 2>&1", within=300)
        machine.does("rm /etc/apt/apt.conf.d/90quietly")
        expect(told.count(f"No login asks Signet yet. Switch it on: {profile}") == 1, told)
    with story.step("apt installs the other packages, and nothing fails"):
        machine.does(INSTALL + "/mnt/packages/*.deb 2>&1", within=300)
        failed = failed_units(machine) - machine.failed
        expect(not failed, f"failed: {failed}")
    with story.step("the kernel confines what runs of it, and what will"):
        machine.does("systemctl restart signetd.service && signet readers")
        for program in ("signetd", "signet-reader"):
            expect_in("signet", machine.does(f"cat /proc/$(pgrep -x {program})/attr/current"))
    with story.step("no unit of Signet's makes systemd warn"):
        machine.does("systemctl daemon-reload")
        warnings = machine.does("journalctl -b --no-pager -p warning -o cat").splitlines()
        expect(not any("signet" in line for line in warnings), "\n".join(warnings))
    with story.step("PAM takes the profile, and check-pam finds the stacks sound"):
        expect_in(profile, machine.does("signet policy sudo"))
        machine.does(profile.removeprefix("sudo "))
        expect_not_in(profile, machine.does("signet policy sudo"))
        machine.does("signet check-pam", within=120)
    with story.step("for who has no finger nothing changes"):
        terminal = machine.console(1)
        expect_in("Password: ", logs_in_by_passcode(terminal, "carol")[0])
        terminal.logs_out()
    with story.step("a reader that is plugged in belongs to signet"):
        reader = Reader(machine)
        node = reader.does("plug").split()[-1]
        machine.does("udevadm settle")
        expect_in("signet", machine.does(f"stat -c %G {node}"))
        expect_in("NextBiometrics" if reader.kind == "nb1010" else "Synaptics", machine.does("signet readers"))
    with story.step("alice logs in and enrolls a finger"):
        logs_in_by_passcode(terminal, "alice")
        enrolls(terminal, reader, "alice", command=enrolling)
        expect_in("right-index-finger", terminal.runs("signet list")[1])
    with story.step("her finger opens sudo"):
        status, text = asks_by_finger(terminal, reader, "sudo -k; sudo true")
        expect(status == 0, text)
        terminal.logs_out()
    # Hers is as everybody's. The vaults after it are quicker to open: for 128 MiB a guest without an accelerator takes seconds.
    machine.does("mkdir -p /etc/signet && echo 'vault_passcode_memory = 16' >> /etc/signet/signet.conf")
    with story.step("the machine switches itself off"):
        machine.shut_down()
        machine.leave_disk()


def starts_cold(story, machine):
    with story.step("signetd is up before the first getty, and signet-logind costs nothing"):
        story.report.figure("seconds to the login prompt with Signet", round(boots(machine), 1))
        machine.asks("systemctl is-system-running --wait", within=200)
        story.report.figure("MiB of all units with Signet", memory(machine))
        units = machine.does("cat /sys/fs/cgroup/system.slice/signet*/memory.current").split()
        story.report.figure("MiB of Signet's units", round(sum(map(int, units)) / 1048576, 1))
        expect_in("ready", machine.does("journalctl -b -u signetd -o cat --no-pager"))
        moment = machine.does("systemctl show -P ActiveEnterTimestampMonotonic signetd systemd-user-sessions").split()
        expect(int(moment[0]) <= int(moment[1]), f"signetd was ready at {moment[0]}, logins at {moment[1]}")
        expect_in("inactive", machine.asks("systemctl is-active signet-logind").output)
        expect_not_in("signet-logind", machine.does("systemctl --failed --no-legend"))
    with story.step("the first login after a cold boot by passcode has a token"):
        reader = Reader(machine)
        reader.plug()
        terminal = machine.console(1)
        terminal.names("alice")
        began = time.monotonic()
        shown = terminal.sees(PASSCODE_PROMPT)[1]
        story.report.figure("seconds from the name to the first prompt after boot", round(time.monotonic() - began, 2))
        expect_in("Password: ", shown)
        terminal.answers(PASSCODES["alice"])
        terminal.has_shell()
        status, token = terminal.runs("signet token")
        expect(status == 0, token)
        expect_in("signet:token", terminal.runs("keyctl show @s")[1])
    with story.step("a signetd that is slow to start is waited for"):
        # As on a machine that has much to do.
        machine.does("mkdir -p /run/systemd/system/signetd.service.d && "
                     "printf '[Service]\\nExecStartPre=/bin/sleep 3\\n' > /run/systemd/system/signetd.service.d/slow.conf && "
                     "systemctl daemon-reload")
        # A busy host holds the guest up for more than a second, which a signetd that runs may not be silent.
        for _ in range(3):
            machine.does("systemctl stop signetd.service")
            took, place = asks_sudo(terminal, TOUCH_PROMPT, OWN_PROMPT)
            if place == 0:
                break
        expect(place == 0 and took >= 3, f"sudo asked by itself, without Signet, after {took:.1f} s")
    with story.step("a signetd that is stopped is not waited for"):
        machine.does("rm -r /run/systemd/system/signetd.service.d; systemctl daemon-reload; systemctl restart signetd; "
                     "kill -STOP $(systemctl show -P MainPID signetd)")
        took, place = asks_sudo(terminal, OWN_PROMPT, TOUCH_PROMPT)
        expect(place == 0, "a stopped signetd asked")
        expect(took < 5, f"a stopped signetd was waited for {took:.1f} s")
        machine.does("kill -CONT $(systemctl show -P MainPID signetd)")
    with story.step("after a logout the token is gone"):
        terminal.logs_out()
        expect_not_in("alice", machine.does("signet sessions"))


# Of a sudo that nobody answers for: Signet asks in the same words, where it asks for the passcode alone.
OWN_PROMPT = r"password for alice: $"


def asks_sudo(terminal, *prompts):
    """Which of the prompts sudo comes to; returns how long that took, in seconds, and which it was."""
    began = time.monotonic()
    terminal.begins("sudo -k; sudo true")
    place, _ = terminal.sees(*prompts, within=40)
    took = time.monotonic() - began
    terminal.interrupts()
    return took, place
