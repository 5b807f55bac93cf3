"""Runs in the guest as root: what comes in on the virtio port `agent`, a line of JSON each ({"id", "command", "seconds"}), is run by bash
and answered in a line ({"id", "status", "output", "seconds"})."""
import json
import os
import subprocess
import time

PORT = "/dev/virtio-ports/agent"


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
            say(run(json.loads(line)))


main()
