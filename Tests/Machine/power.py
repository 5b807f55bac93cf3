"""The plug is pulled while misses, matches, enrolments and items are written. Whatever the guest was told of is there afterwards; of what was
under way it is there or not, and nothing between. The disk that has Signet's state loses what was not flushed."""
import json
import os
import random
import re
import subprocess
import threading
import time

from person import PASSCODES, TOUCH_PROMPT, Reader, enrolls, logs_in_by_passcode
from stories import expect
from terminal import PASSCODE_PROMPT, Failure
from volatile_disk import VolatileDisk

USER = "bob"
ENROLLED, ANOTHER = "right-index-finger", "left-index-finger"
ANOTHERS_PRINT = "/mnt/prints/tented_arch.png"
MOUNT = "mount /dev/vdb /var/lib/signet && chmod 700 /var/lib/signet && systemctl start signetd.socket signetd.service"
UNMOUNT = "systemctl stop signetd.socket signetd.service; umount /var/lib/signet && rm -rf /run/signet/*"
# Writes everything and makes sure of nothing: what is to be caught. It lies where AppArmor lets signetd load libraries from.
FORGETFUL = "int fsync(int file) { return 0; }\n"
PRELOAD = "mkdir -p /run/systemd/system/signetd.service.d && systemctl daemon-reload && " \
    "printf '[Service]\\nEnvironment=LD_PRELOAD=/usr/lib/forgetful.so\\n' > /run/systemd/system/signetd.service.d/forgetful.conf && " \
    "systemctl daemon-reload; "


class Expected:
    """What may be on the disk, by what was told and what was begun."""

    def __init__(self):
        self.strikes = (0, 1)  # the least and the most
        self.fingers = [{ENROLLED}]  # one of these
        self.items = {}  # stored for sure
        self.item_begun = None  # its name and value

    def compare(self, strikes, fingers, items):
        expect(self.strikes[0] <= strikes <= self.strikes[1], f"{strikes} strikes, and not from {self.strikes[0]} to {self.strikes[1]}")
        expect(fingers in self.fingers, f"{fingers} are enrolled, and not one of {self.fingers}")
        missing = set(self.items) - items
        expect(not missing, f"the stored items {sorted(missing)} are lost")
        more = items - set(self.items) - set(self.item_begun or [])
        expect(not more, f"there are items {sorted(more)}, which nobody stored")

    def settle(self, strikes, fingers, items):
        """What was found is what holds from now on."""
        if self.item_begun and self.item_begun[0] in items:
            self.items[self.item_begun[0]] = self.item_begun[1]
        self.strikes, self.fingers, self.item_begun = (0, strikes), [fingers], None


class Plug:
    """One machine with its state on a disk of its own, whose plug is pulled again and again."""

    def __init__(self, machine, seed, luck):
        self.machine, self.random = machine, random.Random(seed)
        self.state = machine.path("state.img")
        self.memory = machine.path("memory")
        self.disk = VolatileDisk(self.state, machine.path("nbd"), self.random, luck)
        machine.second_disk = self.disk.drive()
        self.expected = Expected()
        self.acts = self.stored = 0
        self.is_cut = threading.Event()

    def resume(self, before=""):
        """The power is back. Signet is started on what the disk has."""
        self.disk.awaits_unplugged()
        self.machine.new_disk(self.machine.path("saved.qcow2"))
        self.is_cut.clear()
        self.machine.resume(self.memory)
        self.machine.does(before + MOUNT)
        self.desk = self.machine.console(1)
        self.reader = Reader(self.machine, running=True)

    def finds(self):
        """What is on the disk."""
        status = json.loads(self.machine.does(f"signet status --user {USER} --json"))
        fingers = set(re.findall(r"(?:left|right)-[a-z-]+", self.machine.does(f"signet list --user {USER}")))
        rows = self.machine.does(f"signet vault list --user {USER} --json")
        items = {item["account"] for item in json.loads(rows)} if rows.strip() else set()
        return status["strikes"], fingers, items

    def cycle(self):
        """Looks at what the last cut has left, and acts until the plug is pulled in the midst of an act."""
        self.resume()
        found = self.finds()
        self.expected.compare(*found)
        self.expected.settle(*found)
        timer = threading.Timer(self.random.uniform(0.05, 2.5), self._pull)
        acts, last = 0, self.random.randrange(3)
        try:
            self.proves()
            while True:
                if acts == last:
                    timer.start()
                self.random.choice([self._misses, self._matches, self.stores, self.stores, self._enrolls])()
                acts += 1
                self.acts += 1
        except (Failure, OSError):
            timer.cancel()
            if not self.is_cut.is_set():
                raise
        self.machine.cut()

    def _pull(self):
        self.is_cut.set()
        self.machine.process.kill()

    def proves(self):
        """The passcode, without which nothing is opened after a start; what was stored is read."""
        self.desk.begins("sudo -k; sudo true")
        if self.desk.sees(PASSCODE_PROMPT, TOUCH_PROMPT, within=30)[0] == 1:
            self.desk.types("\r")
            self.desk.sees(PASSCODE_PROMPT)
        self.desk.answers(PASSCODES[USER])
        status, text = self.desk.ends()
        expect(status == 0, text)
        self.expected.strikes = (0, 0)
        for name, value in list(self.expected.items.items())[-2:]:
            status, text = self.desk.runs(f"signet vault get tests {name} | cat")
            expect(value in text, f"{name} is not what was stored: {text}")

    def _armed(self):
        self.desk.begins("sudo -k; sudo true")
        least, most = self.expected.strikes
        self.expected.strikes = (least, most + 1)
        self.desk.sees(TOUCH_PROMPT, within=30)

    def _misses(self):
        if self.expected.strikes[1] > 2:
            return self._matches()
        self._armed()
        # The next scan is charged before the miss is told.
        least, most = self.expected.strikes
        self.expected.strikes = (least, most + 1)
        self.reader.touch(self.reader.other)
        self.desk.sees(r"(?i)not recogni[sz]ed")
        self.expected.strikes = (least + 1, most + 1)
        self.desk.interrupts()

    def _matches(self):
        self._armed()
        self.expected.strikes = (0, self.expected.strikes[1])
        self.reader.touch(self.reader.finger)
        status, text = self.desk.ends()
        expect(status == 0, text)
        self.expected.strikes = (0, 0)

    def stores(self):
        self.stored += 1
        name, value = f"i{self.stored}", f"value-{self.random.randrange(1 << 40)}"
        self.expected.item_begun = name, value
        status, text = self.desk.runs(f"printf {value} | signet vault add tests {name} --access none")
        expect(status == 0, text)
        self.expected.items[name] = value

    def _enrolls(self):
        """Another finger comes, or goes, by the passcode, which clears the strikes."""
        self.expected.strikes = (0, self.expected.strikes[1])
        now = self.expected.fingers[-1]
        if ANOTHER in now:
            self.expected.fingers = [now, {ENROLLED}]
            self.desk.begins(f"signet delete {ANOTHER}")
            self.desk.sees(r"asscode[^\n]*: $")
            self.desk.answers(PASSCODES[USER])
            status, text = self.desk.ends()
            expect(status == 0, text)
        else:
            self.expected.fingers = [now, {ENROLLED, ANOTHER}]
            enrolls(self.desk, self.reader, USER, ANOTHER, ANOTHERS_PRINT)
        self.expected.fingers, self.expected.strikes = self.expected.fingers[1:], (0, 0)


def prepare(machine):
    """A guest in which bob has a finger and sits at the first console, and Signet's state is on a disk of its own, not in use; its
    memory and its disk are kept for all that follows."""
    state = machine.path("state.img")
    if os.path.exists(state):
        os.unlink(state)
    subprocess.run(["truncate", "-s", "64M", state], check=True)
    subprocess.run(["mkfs.ext4", "-q", "-F", state], check=True)
    machine.second_disk = f"file={state},format=raw"
    machine.new_disk(machine.installed)
    machine.boot()
    machine.does("install -m 755 /mnt/forgetful.so /usr/lib/; systemctl stop signetd.socket signetd.service; " + MOUNT)
    reader = Reader(machine)
    reader.plug()
    desk = machine.console(1)
    logs_in_by_passcode(desk, USER)
    enrolls(desk, reader, USER, ENROLLED)
    machine.does(UNMOUNT)
    # A host's file system in the guest cannot be saved; what is needed of it is on the guest's own disk then.
    machine.does("cp -a /mnt/readers /mnt/prints /var/tmp/ && umount /mnt && mv /var/tmp/readers /var/tmp/prints /mnt/ && "
                 "sync && echo 3 > /proc/sys/vm/drop_caches")
    machine.save(machine.path("memory"))
    os.replace(machine.disk, machine.path("saved.qcow2"))


def cuts(story, machine, cycles, seed=1):
    if not Reader.has_prints(machine):
        # A reader that keeps fingers itself forgets, with the guest's memory, which were enrolled since that was saved.
        print("  a pulled plug: left out, because it needs real prints (PRINTS=DIR)", flush=True)
        return
    with story.step("a guest is saved in the moment before Signet begins"):
        subprocess.run(["clang", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-o", os.path.join(machine.share, "forgetful.so"), "-"],
                       input=FORGETFUL.encode(), check=True)
        prepare(machine)
    fresh = machine.path("state.img") + ".fresh"
    subprocess.run(["cp", machine.path("state.img"), fresh], check=True)
    with story.step(f"in {cycles} power cuts nothing is lost that was told, and nothing is half there"):
        plug = Plug(machine, seed, luck=0.5)
        began = time.monotonic()
        for number in range(cycles):
            try:
                plug.cycle()
            except Exception as problem:
                raise Failure(f"cut {number + 1} of seed {seed}: {problem}") from problem
        plug.resume()
        plug.expected.compare(*plug.finds())
        machine.cut()
        story.report.figure("power cuts", cycles)
        story.report.figure("acts told before them", plug.acts)
        story.report.figure("writes lost by them", plug.disk.lost)
        story.report.figure("seconds for each", round((time.monotonic() - began) / cycles, 1))
        plug.disk.close()
    with story.step("a signetd that makes sure of nothing is caught"):
        os.replace(fresh, machine.path("state.img"))
        plug = Plug(machine, seed, luck=0)
        for _ in range(3):
            plug.resume(before=PRELOAD)
            plug.proves()
            plug.stores()
            machine.cut()
            plug.resume()
            try:
                plug.expected.compare(*plug.finds())
            except Failure as caught:
                expect("lost" in str(caught), str(caught))
                break
            machine.cut()
        else:
            raise Failure("it lost nothing in three cuts: these tests see nothing")
        machine.cut()
        plug.disk.close()
    machine.second_disk = None
