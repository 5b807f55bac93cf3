"""Runs in the guest as root: what comes in on the virtio port `agent`, a line of JSON each ({"id", "command", "seconds"}), is run by bash
and answered in a line ({"id", "status", "output", "seconds"}). The consoles of the seat are seen and typed at here, too: {"id", "screen"},
{"id", "keys", "console"} and {"id", "shown"}."""
import fcntl
import json
import os
import subprocess
import termios
import time

PORT = "/dev/virtio-ports/agent"


# linux/vt.h
VT_ACTIVATE, VT_WAITACTIVE = 0x5606, 0x5607


def screen(number):
    """What is on a console, up to the cursor (vcs(4))."""
    with open(f"/dev/vcsa{number}", "rb") as console:
        lines, columns, x, y = console.read(4)
        cells = console.read(2 * lines * columns)[::2].decode("latin-1")
    rows = [cells[row * columns: (row + 1) * columns] for row in range(lines)]
    return "\n".join([row.rstrip() for row in rows[:y]] + [rows[y][:x]])


def types(number, keys):
    with open(f"/dev/tty{number}", "wb", buffering=0) as console:
        for key in keys.encode():
            fcntl.ioctl(console, termios.TIOCSTI, bytes([key]))


def show(number):
    with open("/dev/tty0", "wb", buffering=0) as console:
        fcntl.ioctl(console, VT_ACTIVATE, number)
        fcntl.ioctl(console, VT_WAITACTIVE, number)


def answer(request):
    try:
        if "screen" in request:
            return {"id": request["id"], "output": screen(request["screen"])}
        if "keys" in request:
            types(request["console"], request["keys"])
            return {"id": request["id"]}
        if "shown" in request:
            show(request["shown"])
            return {"id": request["id"]}
    except OSError as problem:
        return {"id": request["id"], "problem": str(problem)}
    return run(request)


def run(request):
    began = time.monotonic()
    try:
        done = subprocess.run(["/bin/bash", "-c", request["command"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=request["seconds"], start_new_session=True)
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = "late", late.stdout or b""
    return {"id": request["id"], "status": status, "output": output.decode("utf-8", "replace"),
            "seconds": round(time.monotonic() - began, 3)}


def main():
    while not os.path.exists(PORT):
        time.sleep(0.05)
    port = os.open(PORT, os.O_RDWR)

    def say(message):
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(port, data):]

    say({"up": float(open("/proc/uptime").read().split()[0])})
    pending = b""
    while True:
        read = os.read(port, 65536)
        if not read:  # nobody is at the other end
            time.sleep(0.05)
        pending += read
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            say(answer(json.loads(line)))


main()
