"""NextBiometrics NB-1010-U: a press sensor whose pictures libfprint compares. What it answers was taken from libfprint's driver."""
import math

import cairo

from usb_device import BULK, INTERRUPT, Stall, USBDevice

WIDTH, HEIGHT = 256, 180
ROWS_A_PACKET, PACKET = 2, 540
IS_A_FINGER_THERE, PREPARE, SCAN = 0x38, 0x0D, 0x12
# Nobody puts a finger down twice in the same way: (dx, dy, degrees).
PLACINGS = [(0, 0, 0), (8, 5, 4), (-8, 4, -4), (4, -6, 7), (-5, -5, -7)]
# Only a corner of it lies on the sensor.
POORLY = (215, 150, 0)


def picture(path, placing):
    """A print (a PNG whose alpha channel is the ridges) as the sensor sees it: bytes of gray, ridges dark."""
    dx, dy, degrees = placing
    image = cairo.ImageSurface.create_from_png(path)
    seen = cairo.ImageSurface(cairo.FORMAT_RGB24, WIDTH, HEIGHT)
    context = cairo.Context(seen)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.translate(WIDTH / 2 + dx, HEIGHT / 2 + dy)
    context.rotate(math.radians(degrees))
    context.translate(-image.get_width() / 2, -image.get_height() / 2)
    context.set_source_rgb(0, 0, 0)
    context.mask_surface(image, 0, 0)
    seen.flush()
    data, stride = bytes(seen.get_data()), seen.get_stride()
    return b"".join(data[y * stride: y * stride + 4 * WIDTH: 4] for y in range(HEIGHT))


class NB1010(USBDevice):
    VENDOR, PRODUCT = 0x298D, 0x1010
    ENDPOINTS = [(0x02, BULK, 512), (0x83, BULK, 512)]

    def __init__(self):
        super().__init__()
        self.finger = None  # the picture of the finger that lies there
        self.scans = self.touches = 0

    def begins_anew(self):
        super().begins_anew()
        self.finger = None

    def touch(self, path, poorly=False):
        """A finger lies there until it is scanned."""
        seen = picture(path, POORLY if poorly else PLACINGS[self.touches % len(PLACINGS)])
        with self.lock:
            self.finger = seen
            self.touches += 1
            self.answer_reads()

    def lift(self):
        with self.lock:
            self.finger = None

    @property
    def is_touched(self):
        return self.finger is not None

    def takes(self, endpoint, data):
        command = data[1]
        if command == IS_A_FINGER_THERE:
            answer = bytearray(16)
            answer[0:3] = bytes([0x80, 0x37, data[2]])
            answer[12] = 0xFF if self.finger else 0
            self.said.append(bytes(answer))
        elif command == PREPARE:
            self.said.append(b"\x80\x20" + bytes(14))
        elif command == SCAN:
            self.scans += 1
            shown = self.finger or bytes([255]) * (WIDTH * HEIGHT)
            size = ROWS_A_PACKET * WIDTH
            self.said.append(b"\x80\x20" + bytes(14))
            self.said += [(bytes(25) + shown[at: at + size]).ljust(PACKET, b"\0") for at in range(0, len(shown), size)]
            self.finger = None
        else:
            raise Stall


class WithoutEndpoints(NB1010):
    """Says that it is this reader, and has nothing to talk to."""

    ENDPOINTS = []


class WrongEndpoints(NB1010):
    """Its endpoints are of another kind and size than such a reader's."""

    ENDPOINTS = [(0x02, INTERRUPT, 8), (0x83, INTERRUPT, 8)]


class Babbler(NB1010):
    """Answers everything with noise, and with more of it than was asked for."""

    def says(self, endpoint, length):
        return bytes([0xA5]) * length
