#!/usr/bin/python3
"""run.py --image DIR --packages DIR --work DIR [--prints DIR] [--only STORY,...]: boots guests with Signet's Debian packages and tries them.
`make test-vm` calls it. Ends with 0 where every step passed, else 1; report.json in the work folder has all results."""
import argparse
import os
import shutil
import signal
import sys

import administration
import hands
import installing
import living
import power
import sealing
from machine import Machine
from stories import Report, Story

HERE = os.path.dirname(os.path.abspath(__file__))


def new_install(story, machine):
    installing.without_signet(story, machine)
    installing.installs(story, machine)
    installing.starts_cold(story, machine)


def stories(options):
    return {
        "a new installation": new_install,
        "a day with a reader": living.day,
        "a TPM": sealing.tpm,
        "a pulled plug": lambda story, machine: power.cuts(story, machine, options.cuts),
        "emulated readers": hands.readers,
        "upgrade and removal": administration.packages,
    }


def tell(body, name, report, machine):
    """Whether the story came to its end."""
    before = len(report.failures)
    try:
        body(Story(name, report), machine)
    except Exception as problem:  # the other stories are told all the same
        if len(report.failures) == before:
            report.note(name, "the story goes on to its end", "failed", 0, str(problem))
    finally:
        machine.cut()
    return len(report.failures) == before


def main():
    parser = argparse.ArgumentParser()
    for name in ("--image", "--packages", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--prints", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--processors", type=int, default=2)
    options = parser.parse_args()

    # Else whoever ends this would leave the guest running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    share = os.path.join(options.work, "share")
    shutil.rmtree(share, ignore_errors=True)
    os.makedirs(share)
    shutil.copytree(os.path.join(HERE, "readers"), share + "/readers")
    shutil.copytree(options.packages, share + "/packages", ignore=lambda _, names: [name for name in names if not name.endswith(".deb")])
    if options.prints:
        shutil.copytree(options.prints, share + "/prints")

    reports = os.path.join(options.work, "reports")
    shutil.rmtree(reports, ignore_errors=True)
    os.makedirs(reports)
    report = Report(reports)
    told = stories(options)
    chosen = [name for name in told if not options.only or any(word in name for word in options.only.split(","))]
    for name in chosen:
        machine = Machine(options.image, os.path.join(options.work, "guest"), share, options.processors)
        # On a busy host the guest stands still for a second now and then, which no person and no limit in it allows for.
        if not tell(told[name], name, report, machine):
            report.forgive(name)
            tell(told[name], name, report, machine)
    report.write(os.path.join(options.work, "report.json"))
    failed = len(report.failures)
    print(f"{len(report.results)} steps, {failed} failed")
    sys.exit(1 if failed else 0)


main()
