"""Keys that sign: by finger beside an evaluation, from many threads, in one context; and what a TPM takes for it."""
import os
import subprocess

from client import Client
from measure import median, p95
from tpm import SoftwareTPM

OVER_EVALUATION, A_SECOND, TURNS = 1_000, 500, 20


def measure(bench):
    bench.sheet.title(f"A signature beside an evaluation, by finger ({bench.rounds} each, in turns), and by programs in Swift")
    with lane_with_vault(bench) as lane:
        in_turns(bench, lane)
        program(bench, lane)
    with SoftwareTPM(bench.directory + "/tpm") as tpm, lane_with_vault(bench, tpm) as lane:
        in_tpm(bench, lane, max(5, bench.rounds // 10))


def lane_with_vault(bench, tpm=None):
    lane = bench.ours("device", tpm=tpm)
    lane.have_vault()
    return lane


def prepare(bench, lane):
    """A finger and an open vault."""
    bench.enroll(lane, "device")
    Client(lane).authenticate(lane.service)
    lane.await_log("vault made")
    return bench.finger(lane, "device")


def in_turns(bench, lane):
    finger = prepare(bench, lane)
    rows = {"evaluate": [], "sign": []}
    for _ in range(bench.rounds):
        for what, found in rows.items():
            found += bench.host.evaluate(lane, finger, what=what)
    if any(row["code"] for found in rows.values() for row in found):
        raise RuntimeError(f"{rows}")
    times = {what: median([row["after_finger_us"] for row in found]) for what, found in rows.items()}
    more = times["sign"] - times["evaluate"]
    bench.sheet.goal(f"finger to signature {times['sign']:.0f} us, {more:.0f} over an evaluation, at most {OVER_EVALUATION}",
                     more <= OVER_EVALUATION)


def program(bench, lane):
    """By SecKeyCreateSignature, each verified."""
    command = [os.path.join(bench.release, "apple-crowd"), "keys", str(TURNS)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300,
                         env=dict(PATH="/usr/bin:/bin", SIGNET_SOCKET=lane.socket))
    rates = {line.split()[0]: line.split()[1] for line in run.stdout.splitlines()}
    if "failed" in rates:
        raise RuntimeError(run.stdout)
    for name, words in (("reused", "in one context"), ("threads", "from 100 threads")):
        rate = int(rates[name])
        bench.sheet.goal(f"{rate} signatures a second {words}, each verified, at least {A_SECOND}", rate >= A_SECOND)


def in_tpm(bench, lane, runs):
    """No goal: it is the TPM's own time, here that of one in software."""
    prepare(bench, lane)
    Client(lane).make_key("tpm")
    if "the TPM makes no key" in open(lane.directory + "/log").read():
        raise RuntimeError("the key is not in the TPM")
    client = Client(lane).become_context()
    times = [client.sign("tpm") / 1e3 for _ in range(runs)]
    bench.sheet.line(f"in a TPM (swtpm), its own time: median {median(times):.1f} ms  p95 {p95(times):.1f}")
