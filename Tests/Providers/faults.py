"""What goes wrong on the way to a provider, or back from it: a server in front of it, which the world knows as the provider.

One line in DIRECTORY/fault, `FAULT PATH`, says what is wrong with requests to paths that end so, until the file is gone:

    cut          the provider answers, and the connection ends in the middle of that
    held         the provider answers, and the answer comes when the file is gone
    unheard      the provider hears nothing of it, and no answer comes
    unavailable  503, and the provider hears nothing of it

The same line is added to DIRECTORY/faults once the provider has answered, or will not be asked.
"""
import contextlib
import http.client
import ssl
import threading
import time
import urllib.parse

from hostile import Handler, Server
from hostile_provider import Answer
from hostile_transport import send, silent

PROVIDER_SECONDS = 60
LOOK_SECONDS = 0.01
# Of one connection, not of the message (RFC 9110, 7.6.1); the body goes on whole, and its length is said anew.
OF_A_CONNECTION = ("connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade")


def of_the_message(headers):
    return [(name, value) for name, value in headers.items() if name.lower() not in OF_A_CONNECTION]


class FaultHandler(Handler):
    """A request, which goes on to the provider or not."""

    def do_GET(self):
        self.close_connection = True
        body = self.read_body()
        fault = self.server.fault(urllib.parse.urlsplit(self.path).path)
        if fault.startswith(("unheard ", "unavailable ")):
            self.server.note(fault)
            if fault.startswith("unheard"):
                silent(self, None, None)
            else:
                send(self, Answer({}, 503))
            return
        answer = self.server.ask(self.command, self.path, of_the_message(self.headers), body)
        if fault:
            self.server.note(fault)
        if fault.startswith("held "):
            self.server.await_end_of(fault)
        self.pass_on(answer, is_whole=not fault.startswith("cut "))

    do_POST = do_PUT = do_DELETE = do_GET

    def pass_on(self, answer, is_whole):
        # The provider has said the date, and who it is.
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        # Of an empty one, too, something is missing then.
        self.send_header("Content-Length", str(len(answer.body) + (0 if is_whole else 1)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(answer.body if is_whole else answer.body[:len(answer.body) // 2])
        self.ends_well = is_whole


class Passed:
    """The provider's answer."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, of_the_message(response.headers), response.read()


class FaultyWay(Server):
    """Listens at once; `lead_to` before anything else."""

    def __init__(self, name, certificate, authority, folder):
        super().__init__(name, certificate, None, FaultHandler)
        self.trust = ssl.create_default_context(cafile=authority)
        self.folder = folder
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def lead_to(self, url):
        self.provider = urllib.parse.urlsplit(url).netloc

    def fault(self, path):
        """The line about requests to this path; empty where there is none."""
        with contextlib.suppress(OSError):
            line = (self.folder / "fault").read_text().strip()
            if line and path.endswith(line.split()[1]):
                return line
        return ""

    def await_end_of(self, fault):
        while self.fault(fault.split()[1]) == fault:
            time.sleep(LOOK_SECONDS)

    def note(self, fault):
        with self.lock, open(self.folder / "faults", "a", encoding="utf-8") as file:
            file.write(fault + "\n")

    def ask(self, method, path, headers, body):
        connection = http.client.HTTPSConnection(self.provider, context=self.trust, timeout=PROVIDER_SECONDS)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            return Passed(connection.getresponse())
