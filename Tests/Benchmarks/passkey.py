"""A passkey used on a terminal: the time from the touch to the answer, and what signet-passkey and signet-hid take while nobody asks."""
import os
import pty
import socket
import struct
import subprocess
import time

from bus import Bus
from client import Client
from measure import median, p95, private_dirty
from ours import Signet, is_listening, read
from virtual_reader import connect

ANYBODY = 0xFFFFFFFF
INIT, COMMAND, KEEPALIVE = 0x86, 0x90, 0xBB
SITE, HASH = "example.org", bytes(32)


def encoded(value):
    """CTAP's canonical CBOR, as far as requests here have it."""
    def head(kind, number):
        return bytes([kind << 5 | number] if number < 24 else [kind << 5 | 24, number])
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, (bytes, str)):
        data = value.encode() if isinstance(value, str) else value
        return head(3 if isinstance(value, str) else 2, len(data)) + data
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encoded, value))
    return head(5, len(value)) + b"".join(encoded(key) + encoded(value[key]) for key in sorted(value, key=encoded))


class SignetWithHid(Signet, Bus):
    """A context: signetd, a bus and signet-hid run inside it. Nobody on the bus knows of seats, so that it waits."""

    def __enter__(self):
        super().__enter__()
        self.start_bus(self.directory, self.environment)
        path = self.directory + "/hid"
        command = [self.release + "/signet-hid", "--bus", f"unix:path={self.directory}/bus", "--socket", path, "--device", path]
        self.hid = subprocess.Popen(command, stderr=self.log)
        while not is_listening(path):
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.hid.terminate()
        self.hid.wait()
        self.end_bus()
        super().__exit__()


class Passkey:
    """signet-passkey on a terminal of its own, and the host's end of its device."""

    def __init__(self, lane):
        self.lane, self.screen = lane, b""
        self.host, device = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = lane.release + "/signet-passkey"
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.dup2(device.fileno(), 3)
            os.execve(path, [path, "--socket", lane.socket, "--descriptor", "3"], {"PATH": "/usr/bin:/bin"})
        device.close()
        self.channel = struct.unpack(">I", self.asks(ANYBODY, INIT, bytes(8))[8:12])[0]

    def send(self, channel, command, message):
        packets, rest = [struct.pack(">IBH", channel, command, len(message)) + message[:57]], message[57:]
        while rest:
            packets.append(struct.pack(">IB", channel, len(packets) - 1) + rest[:59])
            rest = rest[59:]
        for packet in packets:
            self.host.send(packet.ljust(64, b"\0"))

    def answer(self):
        while (first := self.host.recv(64))[4] == KEEPALIVE:
            pass
        length, message = struct.unpack(">H", first[5:7])[0], first[7:]
        while len(message) < length:
            message += self.host.recv(64)[5:]
        return message[:length]

    def asks(self, channel, command, message):
        self.send(channel, command, message)
        return self.answer()

    def touched(self, command, request):
        """Milliseconds from the touch to the whole answer."""
        self.screen = b""
        self.send(self.channel, COMMAND, bytes([command]) + encoded(request))
        while b"reader" not in self.screen:
            self.screen += read(self.terminal)
        # Time for all to come to rest, as they do while a person lifts a hand.
        time.sleep(0.02)
        began = time.perf_counter()
        with connect(self.lane.reader) as reader:
            reader.sendall(b"SCAN finger1")
            answer = self.answer()
            taken = time.perf_counter() - began
        if answer[0] != 0:
            raise RuntimeError(f"status {answer[0]:#x}: {self.screen.decode()}")
        return taken * 1000

    def make(self):
        account = {"id": b"1", "name": "alice"}
        return self.touched(1, {1: HASH, 2: {"id": SITE}, 3: account, 4: [{"alg": -7, "type": "public-key"}], 7: {"rk": True}})

    def use(self):
        return self.touched(2, {1: SITE, 2: HASH})

    def end(self):
        self.host.close()
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


OVER_EVALUATION, IDLE = 5, 5 * 1024


def measure(bench):
    bench.sheet.title(f"A passkey used ({bench.rounds} times), beside an evaluation by libsignet, in turns")
    bench.lanes += 1
    lane = SignetWithHid(f"{bench.directory}/{bench.lanes}", bench.release, "device", bench.user)
    lane.have_vault()
    with lane:
        bench.enroll(lane, "device")
        Client(lane).authenticate("first")
        passkey, finger, used, evaluated = Passkey(lane), bench.finger(lane, "device"), [], []
        passkey.make()
        for _ in range(bench.rounds):
            used.append(passkey.use())
            evaluated.append(bench.host.evaluate(lane, finger)[0]["after_finger_us"] / 1000)
        bench.sheet.line(f"touch to signature: median {median(used):.2f} ms, p95 {p95(used):.2f}; an evaluation {median(evaluated):.2f}")
        more = median(used) - median(evaluated)
        bench.sheet.goal(f"{more:.2f} ms more than an evaluation, at most {OVER_EVALUATION}", more <= OVER_EVALUATION)
        for name, pid in (("signet-passkey", passkey.pid), ("signet-hid", lane.hid.pid)):
            memory = private_dirty([pid])
            bench.sheet.goal(f"{name} while nobody asks: {memory} KiB of its own, at most {IDLE}", memory <= IDLE)
        passkey.end()
