"""What a server can do wrong with a right answer. Each takes the handler, the answer, and the number in its name, if any."""
import json
import os
import socket
import struct
import time

MEGABYTES = 8 * 1024 * 1024
# How long a silent or slow server keeps a connection that nobody closes.
LONGEST = 120
DRIP = 0.2


def send(handler, answer, **headers):
    handler.send_response(answer.status)
    for name, value in {**answer.headers, "Content-Length": len(answer.body), "Connection": "close", **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(answer.body)
    handler.ends_well = True


def garbage(handler, answer, _):
    answer.body = b"\x00\xff<html>}{" * 20
    send(handler, answer)


def megabytes(handler, answer, _):
    """Valid, with all the right members, and eight megabytes of padding."""
    answer.body = json.dumps({**json.loads(answer.body or b"{}"), "padding": "x" * MEGABYTES}).encode()
    send(handler, answer)


def deep(handler, answer, _):
    answer.body = b'{"deep":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    send(handler, answer)


def not_utf8(handler, answer, _):
    answer.body = answer.body[:-1] + b', "text": "\xc3\x28"}'
    send(handler, answer)


def chunked(handler, answer):
    handler.send_response(answer.status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.send_header("Connection", "close")
    handler.end_headers()


def endless(handler, answer, _):
    """White space as fast as it goes, until the client has enough."""
    chunked(handler, answer)
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        handler.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def slow(handler, answer, _):
    """A byte now and then: no single pause is long, and there is no end."""
    chunked(handler, answer)
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        handler.wfile.write(b"1\r\n \r\n")
        handler.wfile.flush()
        time.sleep(DRIP)


def silent(handler, answer, _):
    """Reads what comes, until the client closes, and never answers."""
    handler.connection.settimeout(LONGEST)
    while handler.connection.recv(4096):
        pass


def closing(handler, answer, _):
    """Promises all of the body and closes in the middle of it."""
    whole = len(answer.body)
    answer.body = answer.body[:whole // 2]
    send(handler, answer, **{"Content-Length": whole})
    handler.ends_well = False


def reset(handler, answer, _):
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(handler.connection.detach())


def not_http(handler, answer, _):
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")


def long_header(handler, answer, _):
    send(handler, answer, **{"X-Long": "x" * 1_000_000})


def failing(handler, answer, times):
    """500 for the first `times` requests, or for ever."""
    if times is None or handler.count <= times:
        answer.status, answer.body = 500, b'{"detail": "out of order"}'
    send(handler, answer)


def limited(handler, answer, times):
    """429 for the first `times` requests, or for ever; to be asked again after a second."""
    if times is None or handler.count <= times:
        answer.status, answer.body = 429, b'{"detail": "too many"}'
        answer.headers["Retry-After"] = "1"
    send(handler, answer)


def redirect(handler, answer, status):
    """To the honest answer at another origin; 302, or the status in the name."""
    redirected(handler, answer, status, handler.server.other_origin)


def around(handler, answer, status):
    """To the honest answer at the same origin."""
    redirected(handler, answer, status, handler.server.origin)


def redirected(handler, answer, status, origin):
    answer.status, answer.body = status or 302, b""
    answer.headers["Location"] = f"{origin}/none/{handler.endpoint}"
    send(handler, answer)


def content_type(handler, answer, _):
    send(handler, answer, **{"Content-Type": "text/html"})


FAULTS = {
    "garbage": garbage, "megabytes": megabytes, "deep": deep, "not-utf8": not_utf8, "endless": endless, "slow": slow,
    "silent": silent, "closing": closing, "reset": reset, "not-http": not_http, "long-header": long_header,
    "failing": failing, "limited": limited, "redirect": redirect, "around": around, "content-type": content_type,
}
