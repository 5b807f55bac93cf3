#!/usr/bin/python3
"""run.py --image DIR --packages DIR --work DIR [--prints DIR] [--only STORY,...]: boots guests with Signet's Debian packages and tries them.
`make test-vm` calls it. Ends with 0 where every step passed, else 1; report.json in the work folder has all results."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import administration
import browsing
import desktops
import directory
import hands
import installing
import living
import passkeys
import power
import sealing
from machine import Machine
from stories import Report, Story, expect

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.join(HERE, "../../Sources/tools/packaging/selinux")


def new_install(story, machine):
    installing.without_signet(story, machine)
    installing.installs(story, machine)
    installing.starts_cold(story, machine)


def confined_install(story, machine):
    installing.without_signet(story, machine)
    with story.step("SELinux takes the module"):
        machine.does("semodule -i /mnt/selinux/signet.pp", within=600)
    installing.installs(story, machine)
    installing.starts_cold(story, machine)


FIRST = "a new installation"
# What the kernel is told in a guest of a kind.
KERNELS = {"selinux": "security=selinux"}


def stories(options):
    """The longest first, so that the shorter ones fill the time beside it."""
    if options.kind == "browsers":
        return {FIRST: new_install, "Chromium": browsing.chromium, "Firefox": browsing.firefox}
    if options.kind == "selinux":
        # Debian's policy lets ssh-keygen start no program, and the bus pass on no file of the tests.
        return {FIRST: confined_install, "a day with a reader": living.confined, "a passkey": passkeys.device}
    if options.kind:
        return {FIRST: desktops.installation, "a day at the desktop": lambda story, machine: desktops.day(story, machine, options.kind)}
    return {
        FIRST: new_install,
        "a day with a reader": living.day,
        "a pulled plug": lambda story, machine: power.cuts(story, machine, options.cuts),
        "upgrade and removal": administration.packages,
        "a TPM": sealing.tpm,
        "a directory": directory.story,
        "a passkey": passkeys.passkeys,
        "emulated readers": hands.readers,
    }


def tell(body, name, report, machine):
    """Whether the story came to its end."""
    story = Story(name, report)
    try:
        body(story, machine)
        with story.step("what confines every service of Signet's had nothing to deny"):
            expect(not (denials := machine.denials()), "".join(denials))
    except Exception as problem:  # the other stories are told all the same
        if not report.failures(name):
            report.note(name, "the story goes on to its end", "failed", 0, str(problem))
    finally:
        machine.cut()
    return not report.failures(name)


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("--image", "--packages", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--prints", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--cuts", type=int, default=12)
    parser.add_argument("--processors", type=int, default=0, help="of each guest; else one, or two where it has windows")
    parser.add_argument("--kind", default="", help="of the guest, as make-image takes it: its stories are told")
    parser.add_argument("--guests", type=int, default=2, help="how many there are at the same time")
    return parser.parse_args()


def prepare(options):
    """What the guests see of the host, and where what they tell is kept."""
    share, reports = os.path.join(options.work, "share"), os.path.join(options.work, "reports")
    for folder in (share, reports):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for part in ("readers", "clients"):
        shutil.copytree(os.path.join(HERE, part), share + "/" + part)
    shutil.copytree(options.packages, share + "/packages", ignore=lambda _, names: [name for name in names if not name.endswith(".deb")])
    if options.kind == "selinux":
        shutil.copytree(MODULE, share + "/selinux")
        subprocess.run(["make", "-s", "-C", share + "/selinux", "-f", "/usr/share/selinux/devel/Makefile", "NAME=default", "signet.pp"], check=True)
    if options.prints:
        shutil.copytree(options.prints, share + "/prints")
    return share, reports


def main():
    options = arguments()
    share, reports = prepare(options)
    report = Report(reports)
    told = stories(options)
    # A second one costs a third more of the host's time for the same work: two emulated processors wait for each other.
    processors = options.processors or (1 if options.kind in ("", "selinux") else 2)
    chosen = [name for name in told if not options.only or any(word in name for word in options.only.split(","))]
    machines = []

    def end(*_):
        # Else whoever ends this would leave the guests running.
        for machine in machines:
            machine.cut()
        os._exit(1)

    signal.signal(signal.SIGTERM, end)

    def tell_twice(name):
        folder = os.path.join(options.work, f"guest{list(told).index(name)}")
        for again in (False, True):
            # On a busy host the guest stands still for a second now and then, which no person and no limit in it allows for.
            if again:
                report.forgive(name)
            machines.append(machine := Machine(options.image, folder, share, processors, KERNELS.get(options.kind, "")))
            if tell(told[name], name, report, machine):
                break

    if FIRST in chosen:
        tell_twice(FIRST)
    # Each begins with what the first has installed, and a guest keeps one processor busy most of the time.
    with ThreadPoolExecutor(options.guests) as guests:
        for result in [guests.submit(tell_twice, name) for name in chosen if name != FIRST]:
            result.result()
    report.write(os.path.join(options.work, "report.json"))
    failed = len(report.failures())
    print(f"{len(report.results)} steps, {failed} failed")
    sys.exit(1 if failed else 0)


main()
