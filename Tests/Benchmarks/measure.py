"""Running the host process, and reading what processes cost."""
import json
import os
import re
import statistics
import subprocess
import tempfile


def median(values):
    return statistics.median(values) if values else float("nan")


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] if ordered else float("nan")


def p95(values):
    return quantile(values, 0.95)


def p99(values):
    return quantile(values, 0.99)


def private_dirty(pids):
    """KiB that these processes share with nobody, added up."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            total += sum(int(line.split()[1]) for line in rollup if line.startswith("Private_Dirty:"))
    return total


def children(pid):
    """The processes that any of its threads started."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue  # The thread has ended.
    return found


HERE = os.path.dirname(os.path.abspath(__file__))


def compile_program(name, directory, options):
    """Compiles NAME.c beside this file into a directory, and returns the program's path."""
    path = os.path.join(directory, name)
    compiler = "cc" if subprocess.run(["which", "cc"], capture_output=True).returncode == 0 else "clang"
    command = [compiler, "-O2", "-Wall", "-Werror", "-o", path, os.path.join(HERE, name + ".c")]
    subprocess.run(command + options, check=True)
    return path


def compile_bare_reader(directory):
    """The small C program in bare_reader.c, with the libraries that signet-reader has from libfprint."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libfprint-2"], check=True, stdout=subprocess.PIPE, text=True)
    return compile_program("bare_reader", directory, flags.stdout.split())


class Host:
    """The small C program in host.c, compiled once."""

    def __init__(self, directory):
        header = os.path.join(HERE, "../../Sources/applications/libsignet/include")
        self.path = compile_program("host", directory, ["-I", header, "-Wl,--no-as-needed", "-lpam", "-ldl"])

    def load(self, module, runs=200):
        out = subprocess.run([self.path, "load", str(runs), module], check=True, stdout=subprocess.PIPE, text=True).stdout
        return json.loads(out)

    def command(self, lane, runs, finger):
        return [self.path, "auth", str(runs), lane.service, lane.confdir, lane.user, finger]

    def authenticate(self, lane, runs=1, finger="none", limit=120):
        out = subprocess.run(self.command(lane, runs, finger), env=lane.environment, stdout=subprocess.PIPE, text=True,
                             timeout=limit).stdout
        return [json.loads(line) for line in out.splitlines()]

    def evaluate(self, lane, finger, runs=1, limit=120, what="evaluate"):
        """The same as an application, by libsignet. `what`: or `sign`, by a key that a finger releases."""
        out = subprocess.run([self.path, what, str(runs), lane.library, finger],
                             env=lane.environment | {"SIGNET_SOCKET": lane.socket}, stdout=subprocess.PIPE, text=True,
                             timeout=limit, check=True).stdout
        return [json.loads(line) for line in out.splitlines()]

    def begin(self, program, environment):
        """Starts a program: the microseconds until it writes its first byte."""
        out = subprocess.run([self.path, "begin", "1", program], env=environment, stdout=subprocess.PIPE, text=True, timeout=120,
                             check=True).stdout
        return float(out)

    def read(self, lane, runs, items):
        """So many reads of items by one connection: microseconds of each."""
        out = subprocess.run([self.path, "read", str(runs), lane.library, str(items)],
                             env=lane.environment | {"SIGNET_SOCKET": lane.socket}, stdout=subprocess.PIPE, text=True,
                             timeout=120, check=True).stdout
        return [float(line) for line in out.split()]

    def start(self, lane, finger="none"):
        """One authentication that goes on while the bench does something else."""
        return subprocess.Popen(self.command(lane, 1, finger), env=lane.environment, stdout=subprocess.PIPE, text=True)

    def syscalls(self, lane, finger, more=10):
        """System calls of one authentication: what `more` further ones in the same process add."""
        counts = []
        for runs in (1, 1 + more):
            with tempfile.NamedTemporaryFile() as table:
                command = ["strace", "-f", "-c", "-o", table.name] + self.command(lane, runs, finger)
                subprocess.run(command, env=lane.environment, stdout=subprocess.DEVNULL, check=True)
                total = re.search(r"^\s*100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+(?:\d+\s+)?total$", table.read().decode(), re.M)
                counts.append(int(total.group(1)))
        return (counts[1] - counts[0]) / more


def answer(process):
    """What a started authentication answered, in the form of `authenticate`."""
    out, _ = process.communicate(timeout=120)
    return json.loads(out)


def processor(pid):
    """The seconds that a process has computed."""
    with open(f"/proc/{pid}/stat") as stat:
        words = stat.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
