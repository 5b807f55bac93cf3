"""Fingers for libfprint's virtual readers."""
import socket
import subprocess
import time

VARIABLES = {"device": "FP_VIRTUAL_DEVICE", "storage": "FP_VIRTUAL_DEVICE_STORAGE", "image": "FP_VIRTUAL_IMAGE"}
DRIVERS = {"device": "virtual_device", "storage": "virtual_device_storage", "image": "virtual_image"}


def environment(kind, path):
    """What signet-reader's environment is once it uses libfprint."""
    return {VARIABLES[kind]: path, "FP_DRIVERS_WHITELIST": DRIVERS[kind], "GIO_MODULE_DIR": "/nonexistent", "GIO_USE_VFS": "local",
            "GIO_USE_VOLUME_MONITOR": "unix"}


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


def touch(kind, release, seed, impression=1):
    """What a finger sends to a reader: the same seed is the same finger. Only an image reader sees the impression."""
    if kind != "image":
        return b"SCAN finger%d" % seed
    command = [release + "/draw-print", str(seed), str(impression)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
