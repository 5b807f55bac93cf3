"""A Synaptics reader (06cb:00bd) that stores and compares fingers itself. The layout of its messages was taken from recorded traffic."""
import struct

from usb_device import FULL_SPEED, Stall, USBDevice

VERSION = bytes.fromhex("000047512a5f27f231000a01014101c100007d7f780c62120fa100000000")
GET_VERSION, NEXT_EVENT = b"\x01", b"\xa8"
CANCEL, ENROLL, VERIFY, DELETE, DELETE_ALL, IDENTIFY, IDENTIFY_MORE, RESET = 0x41, 0x51, 0x65, 0x81, 0x84, 0xE1, 0xE3, 0xA1
NO_SUCH_FINGER, NO_MATCH, STORAGE_FULL = 504, 404, 501
FINGER_EVENT, CAPTURED, ENROLL_FAIL = 0x91, 0x60, 0x58
PROGRESS_A_TOUCH = 13


class Synaptics(USBDevice):
    SPEED = FULL_SPEED
    STRINGS = {1: "emulated-serial"}
    DESCRIPTORS = bytes.fromhex(
        "12010002ff10ff08cb06bd00000000000101"
        "09022700010100a0320904000003ff000000070501024000000705810240000007058303080004")

    def __init__(self):
        super().__init__()
        self.stored = {}  # what libfprint calls a finger, and which finger it is
        self.capacity = 10
        self.events, self.task = [], None
        self.progress = 0
        self.finger = None
        self.scans = 0

    def begins_anew(self):
        super().begins_anew()
        self.finger = None

    def forgets(self):
        super().forgets()
        self.events, self.task = [], None

    @property
    def is_touched(self):
        return self.finger is not None

    def touch(self, finger):
        with self.lock:
            self.finger = finger
            self._scan()

    def lift(self):
        with self.lock:
            self.finger = None

    def _scan(self):
        if self.finger and self.task:
            finger, self.finger = self.finger, None
            self.scans += 1
            self._scanned(finger)
            self.answer_reads()

    @staticmethod
    def message(number, kind, payload=b""):
        return b"\0\0\xfe" + bytes([number, kind, len(payload)]) + payload

    def _scanned(self, finger):
        kind, number, *rest = self.task
        self.events += [self.message(0, FINGER_EVENT, b"\1"), self.message(number, CAPTURED), self.message(0, FINGER_EVENT, b"\0")]
        if kind == "enroll":
            which, name = rest
            self.progress = min(100, self.progress + PROGRESS_A_TOUCH)
            self.events.append(self.message(number, 0x55, bytes([self.progress])))
            if self.progress == 100:
                self.task = None
                self.stored[name.decode()] = finger
                self.events.append(self.message(number, 0x59, bytes([which]) + name))
        else:
            match = next((name for name in rest[0] if self.stored.get(name) == finger), None)
            matched, missed = (0x68, 0x67) if kind == "verify" else (0x64, 0x63)
            self.task = None
            self.events.append(self.message(number, matched, b"\x3d\x50\x01" + match.encode()) if match
                               else self.message(number, missed, struct.pack(">H", NO_MATCH)))

    def takes(self, endpoint, data):
        if data == GET_VERSION:
            self.said.append(VERSION.ljust(38, b"\0"))
            return
        if data == NEXT_EVENT:
            if self.events:
                self.said.append(self.events.pop(0))
            return
        number, command, payload = data[2], data[3], data[5: 5 + data[4]]
        answer = self._answers(number, command, payload)
        self.said.append(answer)
        self._scan()

    def _answers(self, number, command, payload):
        message = self.message
        if command == 0x11:
            return message(number, 0x13, b"\0")
        if command == DELETE_ALL:
            self.stored.clear()
            self.events += [message(number, 0x87, b"\x64"), message(number, 0x86)]
            return message(number, 0x87, b"\0")
        if command == ENROLL:
            if len(self.stored) >= self.capacity:
                return message(number, ENROLL_FAIL, struct.pack(">H", STORAGE_FULL))
            self.task, self.progress = ("enroll", number, payload[1], payload[2:]), 0
            return message(number, 0x54)
        if command == VERIFY:
            if payload.decode() not in self.stored:
                return message(number, 0x67, struct.pack(">H", NO_SUCH_FINGER))
            self.task = ("verify", number, [payload.decode()])
            return message(number, 0x66)
        if command in (IDENTIFY, IDENTIFY_MORE):
            if command == IDENTIFY:
                self.wanted, names = payload[0], []
                name = payload[3: 3 + payload[2]].decode()
                self.asked = ("identify", number, names)
            else:
                name = payload[2: 2 + payload[1]].decode()
                names = self.asked[2]
            names.append(name)
            if len(names) < self.wanted:
                return message(number, 0xE2)
            self.task = self.asked
            return message(number, 0x62)
        if command == DELETE:
            if self.stored.pop(payload[1:].decode(), None) is None:
                return message(number, 0x82, struct.pack(">H", NO_SUCH_FINGER))
            return message(number, 0x83, payload)
        if command == CANCEL:
            task, self.task, self.events = self.task, None, []
            return message(task[1] if task else number, 0x42)
        if command == RESET:
            return message(number, 0xA2)
        raise Stall

    def says(self, endpoint, length):
        if endpoint == 3:
            return bytes([6, 0, 0, 0, 0, 0, 0]) if self.events else None
        return super().says(endpoint, length)
