"""A client of signetd, as far as a vault is filled and read; PROTOCOL.md specifies the packets."""
import socket
import struct
import time

VERSION, ITEM, LOGIN_SECRET, KEY = 1, 0, 1, 6
AUTHENTICATE, PASSCODE, FALLBACK, CANCEL, VALUE, SUSPEND, RESUME, VAULT_ADD, VAULT_READ = 1, 2, 3, 4, 7, 26, 27, 28, 30
CONTEXT, KEY_MAKE, KEY_SIGN = 35, 53, 54
HEARTBEAT, SHOW, ASK_PASSCODE, VERDICT, ASK_VALUE, VALUE_REPLY, DONE, REFUSED = 64, 65, 66, 67, 68, 69, 82, 83
TOUCH_READER, SUCCESS, CURRENT_SET, AFTER_FIRST_UNLOCK, WHEN_PASSCODE_SET = 1, 0xA5, 2, 2, 3


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<H", len(data)) + data


def name(service, kind=ITEM):
    """None: the login secret's."""
    return bytes([LOGIN_SECRET if service is None else kind]) + string(service or "") + string("")


class Client:
    """One connection, for one request, or once it is a context for many."""

    def __init__(self, lane):
        self.lane = lane
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(lane.socket)

    def send(self, kind, fields=b""):
        self.socket.send(bytes([VERSION, kind]) + fields)

    def next(self):
        """The next packet that is no heartbeat: its kind and its fields."""
        while True:
            packet = self.socket.recv(4096)
            if not packet:
                raise RuntimeError("signetd closed the connection")
            if packet[1] == REFUSED:
                raise RuntimeError(f"refused: {packet[5:].decode()}")
            if packet[1] != HEARTBEAT:
                return packet[1], packet[2:]

    def evaluation(self, service):
        """By finger or passcode, for 30 seconds at most, in one prompt."""
        return struct.pack("<BH", 2, 30) + string(self.lane.user) + string(service) + string("") * 2 + b"\1"

    def authenticate(self, service):
        """By passcode."""
        self.send(AUTHENTICATE, self.evaluation(service))
        kind, fields = self.next()
        while kind != VERDICT:
            if kind == SHOW and fields[0] == TOUCH_READER:
                self.send(FALLBACK)
            if kind == ASK_PASSCODE:
                self.send(PASSCODE, string(self.lane.passcode))
            kind, fields = self.next()
        if fields[0] != SUCCESS:
            raise RuntimeError(f"no login by passcode: {fields.hex()}")

    def until(self, last, kind, fields=b""):
        """Sends a request; the milliseconds until the first answer of this kind."""
        start = time.monotonic()
        self.send(kind, fields)
        while self.next()[0] != last:
            pass
        return (time.monotonic() - start) * 1e3

    def login(self, service, last):
        """A login that has a finger or waits for one: the milliseconds until the first answer of this kind."""
        return self.until(last, AUTHENTICATE, self.evaluation(service))

    def add(self, service, value):
        """Stores an item that anybody may read who may read at all, or without a name the login secret."""
        terms = (0, 0, AFTER_FIRST_UNLOCK) if service else (CURRENT_SET, 0, WHEN_PASSCODE_SET)
        label = string("" if service else "Login secret")
        self.send(VAULT_ADD, string("") + name(service) + label + string("") + bytes(terms) + string("")
                  + struct.pack("<I", len(value)))
        kind, _ = self.next()
        while kind != DONE:
            if kind == ASK_PASSCODE:
                self.send(PASSCODE, string(self.lane.passcode))
            if kind == ASK_VALUE:
                self.send(VALUE, string(value))
            kind, _ = self.next()

    def become_context(self):
        self.send(CONTEXT, string("bench"))
        self.next()
        return self

    def make_key(self, service):
        """Makes a key that signs for whoever may read at all."""
        self.send(KEY_MAKE, string("") + name(service, KEY) + string("") * 2 + bytes([0, 0, AFTER_FIRST_UNLOCK]) + string(""))
        return self._answered()

    def read(self, service):
        """Reads an item; returns the microseconds from the request to the end of the answer."""
        start = time.monotonic()
        self.send(VAULT_READ, string("") + name(service) + b"\0")
        return self._answered(start)

    def sign(self, service):
        """The same of a signature."""
        start = time.monotonic()
        self.send(KEY_SIGN, string("") + name(service, KEY) + b"\0" + bytes(32))
        return self._answered(start)

    def _answered(self, start=0):
        kinds = [self.next()[0], self.next()[0]]
        end = time.monotonic()
        if kinds != [VALUE_REPLY, DONE]:
            raise RuntimeError(f"not answered by a value: {kinds}")
        return (end - start) * 1e6


def peak(pid):
    """The most memory that a process had at a time, in KiB."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def forget_peak(pid):
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")
