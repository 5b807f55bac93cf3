"""The tests' own certificate authority, which signs certificates that are good, for another name, or expired."""
import datetime
import subprocess
from pathlib import Path

LOOPBACK = "DNS:localhost,IP:127.0.0.1"

# openssl knows no option for a certificate that lies in the past but `ca` with its folder of records.
RECORDS = """[ca]
default_ca = authority
[authority]
database = {folder}/index
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = anything
copy_extensions = copy
x509_extensions = server
[anything]
commonName = supplied
[server]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
authorityKeyIdentifier = keyid
"""


class Certificate:
    """A certificate chain and its key, as PEM files."""

    def __init__(self, folder, name):
        self.chain = folder / f"{name}.pem"
        self.key = folder / f"{name}.key"


def openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]} failed: {done.stderr.strip()}")


def new_key(path):
    path.touch(mode=0o600)
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)


class Authority:
    """Makes its key and certificate in `folder`, which must be there. Good for a day, as what it signs."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.certificate = self.folder / "ca.pem"
        self.key = self.folder / "ca.key"
        new_key(self.key)
        openssl("req", "-x509", "-new", "-key", self.key, "-days", "1", "-subj", "/CN=Signet test authority",
                "-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
                "-out", self.certificate)
        (self.folder / "index").touch()
        (self.folder / "serial").write_text("1000\n")
        self.records = self.folder / "ca.conf"
        self.records.write_text(RECORDS.format(folder=self.folder))

    def sign(self, name, alternative_names=LOOPBACK, days_from_now=(-1, 1)):
        """A new certificate for `alternative_names`, valid between the two days counted from now."""
        made = Certificate(self.folder, name)
        request = self.folder / f"{name}.csr"
        new_key(made.key)
        openssl("req", "-new", "-key", made.key, "-subj", f"/CN={name}",
                "-addext", f"subjectAltName={alternative_names}", "-out", request)
        begin, end = (moment(day) for day in days_from_now)
        openssl("ca", "-batch", "-notext", "-config", self.records, "-cert", self.certificate, "-keyfile", self.key,
                "-startdate", begin, "-enddate", end, "-in", request, "-out", made.chain)
        return made


def moment(days):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
    return time.strftime("%Y%m%d%H%M%SZ")
