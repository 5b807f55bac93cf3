"""Redirect URIs of the loopback that clients are registered with.

One provider takes any port of it, as RFC 8252 wants; the other only those that it knows. These ports are below the range from
which the kernel serves programs that ask for any port: nobody comes upon one by chance.
"""
import random
import socket
from pathlib import Path

LOWEST = 20000
COUNT = 16
TRIES = 100


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def redirect_uris():
    """Of `COUNT` ports in a row that are free now."""
    end = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(TRIES):
        first = random.randrange(LOWEST, end - COUNT)
        ports = range(first, first + COUNT)
        if all(is_free(port) for port in ports):
            return [f"http://127.0.0.1:{port}/callback" for port in ports]
    raise RuntimeError(f"no {COUNT} free ports in a row between {LOWEST} and {end}")
