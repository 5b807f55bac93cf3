#!/usr/bin/python3
"""Signet beside pam_unix and Debian's pam_fprintd, in one run on the same kind of virtual reader.

usage: bench.py RELEASE_DIR PEER_DIR [--strict] [--rounds N]

Absolute times are the machine's; the ratios and the goals are what to look at. With --strict the exit status is 1 where a
goal is missed.
"""
import argparse
import json
import os
import pwd
import re
import signal
import subprocess
import tempfile
import time

import fprint
import keys
import passkey
import prompt
import seat
import tokens
from client import ASK_PASSCODE, CANCEL, DONE, RESUME, SHOW, SUSPEND, VERDICT, Client, forget_peak, peak
from measure import Host, answer, compile_bare_reader, median, p95, private_dirty, processor
from ours import Signet
from peer import MODULES, Peer, unpack
from virtual_reader import environment, present, touch

FINGER, STRANGER = 1, 2


class Sheet:
    """The goals, as they are measured."""

    def __init__(self):
        self.missed = 0

    def title(self, text):
        print(f"\n{text}")

    def line(self, text):
        print(f"  {text}", flush=True)

    def goal(self, text, met):
        self.missed += not met
        print(f"  {'met   ' if met else 'MISSED'}  {text}", flush=True)


class Bench:
    def __init__(self, options, directory):
        self.release, self.packages, self.rounds = options.release, options.peer, options.rounds
        self.directory, self.sheet, self.host = directory, Sheet(), Host(directory)
        self.user, self.lanes = pwd.getpwuid(os.geteuid()).pw_name, 0

    def ours(self, kind, cold=False, tpm=None):
        self.lanes += 1
        return Signet(f"{self.directory}/{self.lanes}", self.release, kind, self.user, cold, tpm)

    def theirs(self, kind):
        self.lanes += 1
        return Peer(f"{self.directory}/{self.lanes}", self.packages, kind, self.user)

    def finger(self, lane, kind, seed=FINGER, impression=1):
        """How the host names a finger."""
        sent = touch(kind, self.release, seed, impression)
        if kind != "image":
            return f"text:{lane.reader}:{sent.decode()}"
        path = f"{lane.directory}/finger{seed}-{impression}"
        with open(path, "wb") as file:
            file.write(sent)
        return f"raw:{lane.reader}:{path}"

    def enroll(self, lane, kind):
        return lane.enroll("right-index-finger", touch(kind, self.release, FINGER))

    def authenticate(self, lane, finger):
        row = self.host.authenticate(lane, 1, finger)[0]
        if row["code"] != 0:
            print(open(lane.directory + "/log").read()[-3000:])
            raise RuntimeError(f"{lane.name}: code {row['code']}")
        return row

    # ---- the module in its host

    def loading(self):
        self.sheet.title("Loading the module into a host that has libc and libpam (200 loads each)")
        with self.ours("device", cold=True) as ours:
            unix = os.path.join(os.path.dirname(unpack(self.packages)[1]), "pam_unix.so")
            if not os.path.exists(unix):
                unix = MODULES + "/pam_unix.so"
            modules = {"pam_signet": ours.module, "pam_unix": unix, "pam_fprintd": unpack(self.packages)[1]}
            # Pages of a file that is not on disk yet would count as dirty.
            os.sync()
            # In turns, so that a busy moment hits all of them.
            rows = {name: [self.host.load(path, 50) for _ in range(4)] for name, path in modules.items()}
            cost = {name: {key: median([row[key] for row in found]) for key in found[0]} for name, found in rows.items()}
            for name, found in cost.items():
                size = os.path.getsize(modules[name])
                self.sheet.line(f"{name:12} {found['us']:6.0f} us  {found['dirty_kib']:4.0f} KiB dirty  {size / 1024:6.1f} KB")
            own = cost["pam_signet"]
            self.sheet.goal(f"dlopen {own['us']:.0f} us, not above pam_unix's {cost['pam_unix']['us']:.0f}",
                            own["us"] <= cost["pam_unix"]["us"])
            self.sheet.goal(f"private dirty {own['dirty_kib']:.0f} KiB, at most 32", own["dirty_kib"] <= 32)
            size = os.path.getsize(ours.module)
            self.sheet.goal(f"stripped {size} bytes, at most 81920", size <= 81920)
            dynamic = subprocess.run(["readelf", "-dW", ours.module], check=True, stdout=subprocess.PIPE, text=True).stdout
            needed = sorted(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
            self.sheet.goal(f"needs {' and '.join(needed)}", needed == ["libc.so.6", "libpam.so.0"])

    # ---- one authentication

    def warm(self):
        self.sheet.title(f"One authentication, helpers running ({self.rounds} each, in turns; ours with its durable strike)")
        with self.ours("device") as ours, self.theirs("device") as theirs:
            rows = {}
            for lane in (ours, theirs):
                self.enroll(lane, "device")
                rows[lane.name] = []
            fingers = {lane.name: self.finger(lane, "device") for lane in (ours, theirs)}
            for _ in range(self.rounds):
                for lane in (ours, theirs):
                    rows[lane.name].append(self.authenticate(lane, fingers[lane.name]))
            self.compare(rows, "after_finger_us", "finger to PAM_SUCCESS", 0.6)
            self.compare(rows, "us", "whole pam_authenticate", 0.5)
            counts = [self.host.syscalls(lane, fingers[lane.name]) for lane in (ours, theirs)]
            self.sheet.goal(f"{counts[0]:.0f} system calls in the host, at most 80 (pam_fprintd {counts[1]:.0f})",
                            counts[0] <= 80)

    COLD_SHARE, COLD_OVER_BARE = 0.5, 1.3

    def cold(self):
        """Beside both, what opening the reader costs a program that does nothing else: no login can be faster than that."""
        runs = max(5, self.rounds // 5)
        self.sheet.title(f"One authentication, no helper running ({runs} each, in turns)")
        with self.ours("device", cold=True) as ours, self.theirs("device") as theirs:
            rows = {ours.name: [], theirs.name: []}
            bare, opened = compile_bare_reader(self.directory), []
            surroundings = environment("device", self.directory + "/bare")
            for lane in (ours, theirs):
                self.enroll(lane, "device")
            for _ in range(runs):
                # First, so that whatever it brings into memory serves both others alike.
                opened.append(self.host.begin(bare, surroundings))
                for lane in (ours, theirs):
                    lane.stop_helper()
                    if lane is ours:
                        ours.listen()
                    rows[lane.name].append(self.authenticate(lane, self.finger(lane, "device")))
            own = self.compare(rows, "us", "whole pam_authenticate", self.COLD_SHARE)
            self.compare_with_bare(own, opened)

    def compare_with_bare(self, own, opened):
        limit = median(opened)
        self.sheet.line(f"{'bare_reader':12} until its reader is open:  median {limit:7.0f} us  p95 {p95(opened):7.0f}")
        ratio = own / limit
        self.sheet.goal(f"{ratio:.2f} of what the bare program needs to open the reader, at most {self.COLD_OVER_BARE}",
                        ratio <= self.COLD_OVER_BARE)

    def compare(self, rows, key, what, limit):
        medians = {}
        for name, found in rows.items():
            values = [row[key] for row in found]
            medians[name] = median(values)
            self.sheet.line(f"{name:12} {what}: median {medians[name]:7.0f} us  p95 {p95(values):7.0f}")
        ratio = medians["pam_signet"] / medians["pam_fprintd"]
        self.sheet.goal(f"{what}: {ratio:.2f} of pam_fprintd's, at most {limit}", ratio <= limit)
        return medians["pam_signet"]

    # ---- applications

    def applications(self):
        self.sheet.title(f"An application's evaluation beside a login ({self.rounds} each, in turns)")
        with self.ours("device") as ours:
            os.sync()
            loads = [self.host.load(ours.library, 50)["us"] for _ in range(4)]
            self.sheet.goal(f"dlopen of libsignet {median(loads):.0f} us, at most 100", median(loads) <= 100)
            dynamic = subprocess.run(["readelf", "-dW", ours.library], check=True, stdout=subprocess.PIPE, text=True).stdout
            needed = sorted(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
            self.sheet.goal(f"needs {' and '.join(needed)}", needed == ["libc.so.6"])
            self.enroll(ours, "device")
            finger = self.finger(ours, "device")
            rows = {"evaluate": [], "login": []}
            for _ in range(self.rounds):
                rows["login"].append(self.authenticate(ours, finger))
                row = self.host.evaluate(ours, finger)[0]
                if row["code"] != 0:
                    raise RuntimeError(f"evaluate: code {row['code']}")
                rows["evaluate"].append(row)
            for key, what in (("us", "whole"), ("after_finger_us", "finger to success")):
                medians = {name: median([row[key] for row in found]) for name, found in rows.items()}
                self.sheet.goal(f"{what}: evaluate {medians['evaluate']:.0f} us, at most the login's {medians['login']:.0f}",
                                medians["evaluate"] <= medians["login"])

        keys.measure(self)

    # ---- the passcode always works

    def passcode(self):
        self.sheet.title("Until the user gets in or is asked for the passcode")
        with self.ours("device", cold=True) as ours:
            ours.service = "signet-then-passcode"
            waits = [self.host.authenticate(ours)[0]["question_us"] / 1000 for _ in range(20)]
            self.sheet.goal(f"no helper: median {median(waits):.2f} ms, at most 5", median(waits) <= 5)
        for who, when in ((0, "before"), (1, "before"), (0, "during a scan"), (1, "during a scan")):
            with self.ours("device") as lane:
                name = ("signetd", "signet-reader")[who]
                wait = self.stopped(lane, who, when)
                self.sheet.goal(f"{name} stopped {when}: {wait:.2f} s, at most 1", wait <= 1)
        with self.theirs("device") as lane:
            self.sheet.line(f"fprintd stopped before: {self.stopped(lane, 0, 'before'):.1f} s")
        for who, name in enumerate(("signetd", "signet-reader")):
            with self.ours("device") as lane:
                wait = self.stopped(lane, who, "during a scan", signal.SIGKILL)
                self.sheet.goal(f"{name} killed during a scan: {wait:.2f} s, at most 0.3", wait <= 0.3)

    def stopped(self, lane, who, when, by=signal.SIGSTOP):
        """Seconds from the stop, or from the call where that is later."""
        self.enroll(lane, "device")
        finger = self.finger(lane, "device")
        self.authenticate(lane, finger)
        lane.service += "-then-passcode"
        pid = lane.helper_pids()[who]
        if when == "before":
            os.kill(pid, signal.SIGSTOP)
            row = self.host.authenticate(lane, 1, finger)[0]
            return (row["us"] if row["code"] == 0 else row["question_us"]) / 1e6
        login = self.host.start(lane, "wait")
        login.stdout.readline()  # the module has asked for a finger
        os.kill(pid, by)
        stop = time.monotonic()
        return answer(login)["question_at"] / 1e6 - stop

    # ---- what nobody waits for

    def at_once(self):
        self.sheet.title("Until the next one is told, and until a reader is given up (20 each)")
        with self.ours("device") as lane:
            self.enroll(lane, "device")
            told, cancels = [], []
            for _ in range(20):
                first = Client(lane)
                first.login("first", SHOW)
                told.append(Client(lane).login("second", ASK_PASSCODE))
                cancels.append(first.until(VERDICT, CANCEL))
            self.sheet.goal(f"the reader is in use: told after {median(told):.1f} ms, at most 50", median(told) <= 50)
            self.sheet.goal(f"a cancel: answered after {median(cancels):.1f} ms, at most 250", median(cancels) <= 250)
            if os.geteuid() != 0:
                return
            for what, limit in (("no reader in use", 500), ("a reader that is stopped in a scan", 2000)):
                login = Client(lane)
                if limit > 500:
                    login.login("first", SHOW)
                    os.kill(lane.helper_pids()[1], signal.SIGSTOP)
                wait = Client(lane).until(DONE, SUSPEND)
                self.sheet.goal(f"a suspend with {what}: {wait:.0f} ms, at most {limit}", wait <= limit)
                asked = Client(lane).login("second", ASK_PASSCODE)
                self.sheet.goal(f"a login before the machine is awake: {asked:.1f} ms, at most 50", asked <= 50)
                Client(lane).until(DONE, RESUME)

    # ---- the vault

    ITEMS = 1000
    RELEASE_LIMIT, SAME = 500, 100

    def vault(self):
        self.sheet.title(f"Releasing a secret after a match, one authentication each ({self.rounds} each, in turns)")
        lanes = {"no vault": self.ours("device"), "1 item": self.ours("device"), f"{self.ITEMS} items": self.ours("device")}
        names = list(lanes)
        for name in names[1:]:
            lanes[name].have_vault()
        with lanes[names[0]] as none, lanes[names[1]] as one, lanes[names[2]] as many:
            for lane in (none, one, many):
                self.enroll(lane, "device")
            for lane, items in ((one, 1), (many, self.ITEMS)):
                Client(lane).add(None, b"login secret")
                start = time.monotonic()
                for number in range(items):
                    Client(lane).add(f"item{number}", b"v" * 32)
                self.sheet.line(f"storing {items} items beside the login secret: {time.monotonic() - start:.1f} s")
            rows = {name: [] for name in names}
            for _ in range(self.rounds):
                for name, lane in lanes.items():
                    rows[name].append(self.authenticate(lane, self.finger(lane, "device"))["after_finger_us"])
            finger = {}
            for name, values in rows.items():
                finger[name] = median(values)
                self.sheet.line(f"{name:12} finger to PAM_SUCCESS: median {finger[name]:5.0f} us  p95 {p95(values):5.0f}")
            bare, single, full = (finger[name] for name in names)
            self.sheet.goal(f"a login secret adds {single - bare:.0f} us, at most {self.RELEASE_LIMIT}",
                            single - bare <= self.RELEASE_LIMIT)
            self.sheet.goal(f"beside {self.ITEMS} items {full - bare:.0f} us, and {full - single:.0f} more than beside 1, "
                            f"at most {self.SAME}", full - bare <= self.RELEASE_LIMIT and full - single <= self.SAME)
            self.reading(one, many)
            self.scrypt(one)

    def reading(self, one, many):
        """Without a prompt: the daemon's own part of it."""
        times = {1: [], self.ITEMS: []}
        for number in range(self.rounds):
            times[1].append(Client(one).read("item0"))
            times[self.ITEMS].append(Client(many).read(f"item{number * 7 % self.ITEMS}"))
        for items, values in times.items():
            self.sheet.line(f"an item of {items:4}: read in {median(values):4.0f} us, p95 {p95(values):4.0f}")

    READS, READS_A_SECOND, STORES = 20_000, 10_000, 50

    def items(self):
        self.sheet.title(f"Items without presence in one context ({self.READS} reads), and stored, beside gnome-keyring")
        lane = self.ours("device")
        lane.have_vault()
        with lane:
            Client(lane).add("first", b"v" * 32)
            spent = processor(lane.daemon.pid)
            times = self.host.read(lane, self.READS, 50)
            spent = (processor(lane.daemon.pid) - spent) / self.READS * 1e6
            rate = 1e6 * len(times) / sum(times)
            late = sorted(times)[len(times) * 99 // 100]
            self.sheet.line(f"median {median(times):.0f} us, of which signetd computes {spent:.0f}")
            self.sheet.goal(f"{rate:.0f} reads a second, at least {self.READS_A_SECOND}", rate >= self.READS_A_SECOND)
            self.sheet.goal(f"p99 {late:.0f} us, at most 1000", late <= 1000)
            self.signatures(lane)
            ours = self.keychain(["signet", lane.library], dict(SIGNET_SOCKET=lane.socket))
        home = f"{self.directory}/keyring"
        os.makedirs(home, mode=0o700)
        theirs = self.keychain(["libsecret"], dict(HOME=home, XDG_RUNTIME_DIR=home))
        for what in ("store", "lookup"):
            mine, other = median(ours[what]), median(theirs[what])
            self.sheet.goal(f"{what} by libsignet: {mine:.2f} ms, at most half of libsecret's {other:.2f}", mine <= other / 2)

    SIGNATURES, SIGNATURES_A_SECOND, SIGNATURE_LIMIT = 2_000, 500, 1_000

    def signatures(self, lane):
        """By a key of the vault, in one context; beside reads of an item, which asks for the same."""
        Client(lane).make_key("key")
        client = Client(lane).become_context()
        signed, read = [], []
        for _ in range(self.SIGNATURES):
            signed.append(client.sign("key"))
            read.append(client.read("first"))
        rate, more = 1e6 * len(signed) / sum(signed), median(signed) - median(read)
        self.sheet.goal(f"{rate:.0f} signatures a second, at least {self.SIGNATURES_A_SECOND}", rate >= self.SIGNATURES_A_SECOND)
        self.sheet.goal(f"a signature takes {more:.0f} us more than a read, at most {self.SIGNATURE_LIMIT}", more <= self.SIGNATURE_LIMIT)

    def keychain(self, words, environment):
        """Items stored and looked up by a library in one process; libsecret's with gnome-keyring in a session bus of its own."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keychains.py")
        command = ["/usr/bin/python3", "-B", script] + words + [str(self.STORES)]
        if words[0] == "libsecret":
            open_first = "printf pass | gnome-keyring-daemon --unlock --components=secrets >&2; exec \"$@\""
            command = ["dbus-run-session", "--", "sh", "-c", open_first, "sh"] + command
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(PATH="/usr/bin:/bin") | environment)
        return json.loads(run.stdout)

    def scrypt(self, lane):
        """scrypt cannot be had without its 128 MiB."""
        found = {}
        for how in ("finger", "passcode"):
            forget_peak(lane.daemon.pid)
            if how == "finger":
                for _ in range(10):
                    self.authenticate(lane, self.finger(lane, "device"))
            else:
                Client(lane).authenticate(lane.service)
                lane.await_log("vault opened")
            found[how] = peak(lane.daemon.pid) / 1024
        self.sheet.goal(f"memory at its peak: logins by finger {found['finger']:.0f} MiB, at most 64; by passcode "
                        f"{found['passcode']:.0f}, with scrypt's 128", found["finger"] <= 64 and found["passcode"] >= 128)

    # ---- tokens

    def prompt(self):
        prompt.measure(self)

    def fprint(self):
        fprint.measure(self)

    def passkey(self):
        passkey.measure(self)

    def tokens(self):
        build = os.path.dirname(os.path.abspath(self.packages))
        providers = tokens.have_providers(build)
        tokens.libraries(self.sheet, build, providers)
        tokens.times(self.sheet, self.release, providers)

    # ---- memory and other users

    def memory(self):
        self.sheet.title("Private dirty memory of all helper processes (KiB)")
        found = {}
        for lane in (self.ours("image"), self.theirs("image")):
            with lane:
                self.enroll(lane, "image")
                lane.stop_helper()
                if isinstance(lane, Signet):
                    lane.start()
                fresh = private_dirty(lane.helper_pids())
                before = self.match(lane, 1)
                after = self.match(lane, 50)
                found[lane.name] = (fresh, before, after)
                self.sheet.line(f"{lane.name:12} fresh {fresh}; 10 s after one match {before}, after 50 more {after}")
        ours, theirs = found["pam_signet"], found["pam_fprintd"]
        self.sheet.goal(f"idle {ours[0]}, at most fprintd's {theirs[0]}", ours[0] <= theirs[0])
        self.sheet.goal(f"10 s after 50 matches {ours[2]}, within a tenth of {ours[1]} before them", ours[2] <= ours[1] * 1.1)

    def match(self, lane, count):
        """Memory 10 s after that many logins by image."""
        for number in range(count):
            self.host.authenticate(lane, 1, self.finger(lane, "image", impression=number % 5 + 1))
            time.sleep(0.3)  # pam_fprintd fails while its reader is still closing
        time.sleep(10)
        return private_dirty(lane.helper_pids())

    def many_users(self):
        self.sheet.title("Enrolling a finger while others are enrolled")
        times = {}
        for lane, many in ((self.ours("image"), 1000), (self.theirs("image"), 100)):
            with lane:
                self.enroll(lane, "image")
                for count in (1, many):
                    lane.add_users(count)
                    stranger = touch("image", self.release, STRANGER)
                    takes = []
                    for _ in range(3):
                        takes.append(lane.enroll("left-thumb", stranger))
                        stranger = touch("image", self.release, STRANGER + len(takes))
                    times[lane.name, count] = median(takes)
                    self.sheet.line(f"{lane.name:12} {count:4} others: {median(takes):.2f} s")
        one, many = times["pam_signet", 1], times["pam_signet", 1000]
        self.sheet.goal(f"1,000 others: {many / one:.2f} of the time with 1, at most 1.1", many <= one * 1.1)

    def busy(self):
        self.sheet.title("A login while another user's image is being matched")
        waits = {}
        for lane in (self.ours("image"), self.theirs("image")):
            with lane:
                self.enroll(lane, "image")
                first = self.host.start(lane, "wait")
                first.stdout.readline()  # the module has asked for a finger
                lying = present(lane.reader, touch("image", self.release, STRANGER))
                lane.service += "-then-passcode"
                row = self.host.authenticate(lane)[0]
                waits[lane.name] = row["question_us"] / 1000
                self.sheet.line(f"{lane.name:12} answered after {waits[lane.name]:.1f} ms")
                first.kill()
                first.wait()
                lying.close()
        self.sheet.goal(f"answered in {waits['pam_signet']:.1f} ms, at most 50", 0 < waits["pam_signet"] <= 50)


def main():
    seat.take()
    parser = argparse.ArgumentParser()
    parser.add_argument("release")
    parser.add_argument("peer")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--rounds", type=int, default=200)
    parts = ["loading", "warm", "cold", "fprint", "prompt", "applications", "passcode", "at_once", "vault", "items", "passkey", "tokens", "memory", "many_users", "busy"]
    parser.add_argument("--only", help="one part: " + ", ".join(parts))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="signet-bench-") as directory:
        bench = Bench(options, directory)
        for part in [options.only] if options.only else parts:
            getattr(bench, part)()
    print(f"\n{bench.sheet.missed} goals missed" if bench.sheet.missed else "\nall goals met")
    return 1 if options.strict and bench.sheet.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
