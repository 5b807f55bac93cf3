"""fprintd's interface by signet-fprint, beside fprintd itself."""
import os
import subprocess
import time

from bus import NAME, Bus
from measure import median, p95, private_dirty
from ours import Signet
from virtual_reader import connect, touch

FINGER = touch("device", "", 1)
# Of fprintd's time: the verdict passes two more processes, and before the reader is armed the strike is on disk.
SHARES = {"finger to VerifyStatus": 1.4, "whole": 1.7}
# In seconds: signet-fprint asks for each user so often only.
PAUSE = 0.4


class SignetOnBus(Signet, Bus):
    """A context: signetd, a bus and signet-fprint run inside it."""
    name = "signet-fprint"

    def __enter__(self):
        super().__enter__()
        self.start_bus(self.directory, self.environment)
        command = [self.release + "/signet-fprint", "--bus", f"unix:path={self.directory}/bus", "--socket", self.socket]
        self.service = subprocess.Popen(command, stderr=self.log)
        self.wait_for(NAME, True)
        return self

    def __exit__(self, *_):
        self.service.terminate()
        self.service.wait()
        self.end_bus()
        super().__exit__()


def touches(lane):
    """The reader is open: the moment at which it is touched."""
    def send():
        with connect(lane.reader) as connection:
            moment = time.monotonic()
            connection.sendall(FINGER)
        return moment
    return send


def durable_write(folder):
    """What the disk takes for one strike, in microseconds: a few bytes in the place of as many, as signetd writes them."""
    file = os.open(folder + "/figure", os.O_WRONLY | os.O_CREAT)
    if os.fstat(file).st_size == 0:
        os.write(file, b"before")
        os.fsync(file)
    start = time.monotonic()
    os.pwrite(file, b"figure", 0)
    os.fdatasync(file)
    took = (time.monotonic() - start) * 1e6
    os.close(file)
    return took


def measure(bench):
    rounds = max(5, bench.rounds // 5)
    bench.sheet.title(f"One verification on the bus, helpers running ({rounds} each, in turns; ours with its durable strike)")
    bench.lanes += 1
    rows = {}
    with SignetOnBus(f"{bench.directory}/{bench.lanes}", bench.release, "device", bench.user) as ours, bench.theirs("device") as theirs:
        for lane in (ours, theirs):
            bench.enroll(lane, "device")
            rows[lane.name] = []
        disk = []
        for _ in range(rounds):
            time.sleep(PAUSE)
            disk.append(durable_write(ours.directory))
            for lane in (ours, theirs):
                rows[lane.name].append(lane.verify(touches(lane)))
        for pid, lane in ((ours.service.pid, ours), (theirs.helper_pids()[0], theirs)):
            bench.sheet.line(f"{lane.name:14} {private_dirty([pid])} KiB private dirty")
    bench.sheet.line(f"of VerifyStart the disk, for the strike: {median(disk):.0f} us, p95 {p95(disk):.0f}")
    whole = {name: [sum(row.values()) for row in found] for name, found in rows.items()}
    for what in [*rows[ours.name][0], "whole"]:
        values = {name: [row[what] for row in found] if what != "whole" else whole[name] for name, found in rows.items()}
        mine, other = (median(values[lane.name]) for lane in (ours, theirs))
        text = f"{what}: {mine:.0f} us, p95 {p95(values[ours.name]):.0f}; fprintd's {other:.0f}, p95 {p95(values[theirs.name]):.0f}"
        if what in SHARES:
            bench.sheet.goal(f"{text}: {mine / other:.2f}, at most {SHARES[what]}", mine <= other * SHARES[what])
        else:
            bench.sheet.line(text)
