#!/usr/bin/python3
"""run.py RELEASE [--settings] [WORD...]: tells each story at each desktop host, or at the desktops' settings; with words, those whose host
has one of them, or whose function is one. Ends with 0 where all came true, else 1. Hosts that are not installed are skipped, and named."""
import concurrent.futures
import os
import sys
import time

import gdm
import greeters
import lockers
import passwords
import settings
from desk import Desk
from stories import STORIES

HOSTS = [lockers.KScreenLocker, lockers.XScreenSaver, lockers.XSecureLock, lockers.I3lock, lockers.Swaylock, greeters.LightDM,
         greeters.SDDM, gdm.GDM, gdm.GDMBeside, passwords.Seahorse]
# A host that starts takes a processor.
LANES = 2


def tell(host, story, release):
    """What went wrong, or None."""
    began = time.monotonic()
    problem = None
    try:
        with Desk(release) as desk:
            story(host(desk))
    except Exception as error:  # the other stories are told all the same
        problem = f"{type(error).__name__}: {error}"
    mark = "✘" if problem else "✔"
    print(f"{mark} {host.__name__}: {story.__doc__} ({time.monotonic() - began:.1f} s)", flush=True)
    if problem:
        print("    " + problem.rstrip().replace("\n", "\n    "), flush=True)
    return problem


def main():
    release, words = os.path.realpath(sys.argv[1]), sys.argv[2:]
    hosts = HOSTS
    if words[:1] == ["--settings"]:
        hosts, words = settings.HOSTS, words[1:]
    present = []
    for host in hosts:
        if os.access(host.program, os.X_OK):
            present.append(host)
        else:
            print(f"SKIPPED: {host.__name__}: {host.program} is missing", flush=True)
    told = [(host, story) for host in present for story in getattr(host, "stories", STORIES)
            if not words or any(word in host.__name__ or word == story.__name__ for word in words)]
    with concurrent.futures.ThreadPoolExecutor(LANES) as lanes:
        problems = list(lanes.map(lambda pair: tell(*pair, release), told))
    sys.exit(any(problems))


if __name__ == "__main__":
    main()
