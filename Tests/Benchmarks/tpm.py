"""A TPM in software (Debian's swtpm), of the bench's own."""
import os
import subprocess
import time


class SoftwareTPM:
    """A context, in a directory that it makes. `transport` is what `signetd --tpm` takes."""

    def __init__(self, directory):
        self.directory, self.transport = directory, f"swtpm:path={directory}/tpm"

    def __enter__(self):
        os.makedirs(self.directory)
        place = f"type=unixio,path={self.directory}/tpm"
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.directory}", "--server", place, "--ctrl", place + ".ctrl",
             "--flags", "not-need-init,startup-clear"], env=dict(PATH="/usr/sbin:/usr/bin:/sbin:/bin"), stdout=subprocess.DEVNULL)
        while not os.path.exists(f"{self.directory}/tpm.ctrl"):
            if self.process.poll() is not None:
                raise RuntimeError("swtpm does not start")
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
