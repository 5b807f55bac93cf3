"""Fingers for libfprint's virtual readers."""
import os
import socket
import struct
import time
import zlib

VARIABLES = {"device": "FP_VIRTUAL_DEVICE", "storage": "FP_VIRTUAL_DEVICE_STORAGE", "image": "FP_VIRTUAL_IMAGE"}


def connect(path, limit=10):
    """A connection to a reader's socket, which appears when the reader is opened."""
    end = time.monotonic() + limit
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.002)


def present(path, finger):
    """Presents a finger and returns the connection: on an image reader the finger lies there until that is closed."""
    connection = connect(path)
    connection.sendall(finger)
    return connection


def raw_image(png):
    """A PNG whose grey values are in the alpha channel, as the byte stream of a virtual image reader."""
    width, height, channels, rows = pixels(png)
    wide, high = (width + 3) // 4 * 4, (height + 3) // 4 * 4
    page = bytearray(b"\xff" * (wide * high))
    for y, row in enumerate(rows):
        page[y * wide:y * wide + width] = row[channels - 1::channels]
    return struct.pack("ii", wide, high) + bytes(page)


def pixels(png):
    """Width, height, channels and the unfiltered rows of an 8-bit PNG (RFC 2083)."""
    with open(png, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    assert depth == 8, f"{png}: {depth} bits a channel"
    raw, size, rows, above = zlib.decompress(packed), width * channels, [], bytearray(width * channels)
    for y in range(height):
        line = raw[y * (size + 1):(y + 1) * (size + 1)]
        above = unfilter(line[0], bytearray(line[1:]), above, channels)
        rows.append(above)
    return width, height, channels, rows


def unfilter(kind, row, above, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        row[i] = (row[i] + predicted(kind, left, above[i], corner)) & 255
    return row


def predicted(kind, left, up, corner):
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[kind]
