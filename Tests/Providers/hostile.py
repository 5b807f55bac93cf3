"""Servers over TLS that misbehave as the path says.

    https://localhost:PORT/MISBEHAVIOUR[-NUMBER][@ENDPOINT][~ANYTHING]/ENDPOINT

The misbehaviours are those of hostile_transport (FAULTS) and hostile_provider (LIES). With @ENDPOINT all other endpoints of that
issuer are honest ones. Requests are counted for each first part of the path by itself: ~ANYTHING gives a test a count of its own.
"""
import contextlib
import http.server
import re
import socketserver
import ssl
import threading
import urllib.parse
from collections import Counter

from hostile_provider import LIES, Answer, Provider
from hostile_transport import FAULTS, send

NAME = re.compile(r"(?P<name>[a-z0-9_-]+?)(-(?P<number>\d+))?(@(?P<endpoint>[a-z_.]+))?(~[\w.-]*)?")
WELL_KNOWN = re.compile(r"/\.well-known/(oauth-authorization-server|openid-configuration)/([^/]+)")
DISCOVERY = ".well-known/"
MOST_BODY = 1_000_000
HANDSHAKE_SECONDS = 10
FAREWELL_SECONDS = 1
CREDENTIALS = ("Authorization", "Cookie", "DPoP")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    ends_well = False

    def setup(self):
        self.request.settimeout(HANDSHAKE_SECONDS)
        self.request.do_handshake()
        self.request.settimeout(None)
        super().setup()

    def finish(self):
        super().finish()
        if self.ends_well:
            self.request.settimeout(FAREWELL_SECONDS)
            # TLS's own farewell; a client that is gone already misses nothing.
            with contextlib.suppress(OSError):
                self.request.unwrap()

    def do_GET(self):
        # A connection serves one request: nothing that a fault leaves behind meets the next one.
        self.close_connection = True
        url = urllib.parse.urlsplit(self.path)
        body = self.read_body()
        if url.path == "/counts":
            send(self, Answer(self.server.counts.seen(self.command)))
            return
        first, self.endpoint = split(url.path)
        self.count = self.server.counts.add(self.server.name, self.command, url.path,
                                            bool(body) or any(name in self.headers for name in CREDENTIALS))
        self.misbehave(first, dict(urllib.parse.parse_qsl(url.query)), body)

    do_POST = do_PUT = do_DELETE = do_GET

    def read_body(self):
        length = self.headers.get("Content-Length", "0")
        return self.rfile.read(min(int(length), MOST_BODY)) if length.isdigit() else b""

    def misbehave(self, first, query, body):
        asked = NAME.fullmatch(first)
        if asked is None or (asked["name"] not in FAULTS and asked["name"] not in LIES):
            send(self, Answer({"detail": f"no misbehaviour is called {first}"}, 404))
            return
        lie = asked["name"] if asked["name"] in LIES else "none"
        provider = Provider(f"{self.server.origin}/{first}", lie, f"{self.server.origin}/none", self.server.other_origin)
        answer = provider.answer(self.endpoint, query, form_of(self.headers, body), self.count)
        fault = FAULTS.get(asked["name"])
        if fault and asked["endpoint"] in (None, short(self.endpoint)):
            fault(self, answer, int(asked["number"]) if asked["number"] else None)
        else:
            send(self, answer)

    def log_message(self, *_):
        pass


def split(path):
    """The misbehaviour's part of a path, and the endpoint's. RFC 8414 puts the well-known part first."""
    if found := WELL_KNOWN.fullmatch(path):
        return found[2], DISCOVERY + found[1]
    first, _, rest = path[1:].partition("/")
    return first, rest


def short(endpoint):
    """How an endpoint is called after the @: `jwt/refresh/` is jwt.refresh."""
    return "discovery" if endpoint.startswith(DISCOVERY) else endpoint.strip("/").replace("/", ".")


def form_of(headers, body):
    """The fields of a form; a body of another type whole, under no name."""
    text = body.decode("utf-8", "replace")
    if headers.get_content_type() == "application/x-www-form-urlencoded":
        return dict(urllib.parse.parse_qsl(text))
    return {"": text} if text else {}


class Counts:
    """How often each listener was asked for each path, and how often with credentials or a body."""

    def __init__(self):
        self.lock = threading.Lock()
        self.requests = Counter()

    def add(self, listener, method, path, carrying):
        with self.lock:
            if carrying:
                self.requests[f"{listener} {method} {path} with credentials"] += 1
            self.requests[f"{listener} {method} {path}"] += 1
            return self.requests[f"{listener} {method} {path}"]

    def seen(self, method):
        """All of them. DELETE begins anew."""
        with self.lock:
            seen = dict(self.requests)
            if method == "DELETE":
                self.requests.clear()
            return seen


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 1024

    def __init__(self, name, certificate, counts, handler=Handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.name = name
        self.counts = counts
        self.origin = self.other_origin = f"https://localhost:{self.server_address[1]}"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate.chain, certificate.key)

    def get_request(self):
        connection, address = super().get_request()
        # The handshake is the handler's: a client that is slow with it keeps nobody else waiting.
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, client_address):
        """Clients leave in the middle of faults and handshakes: that is what this server is for."""


class Hostile:
    """The listeners, each in a thread of this process: `certificates` by name, `hostile` and `other` among them."""

    def __init__(self, certificates):
        counts = Counts()
        self.servers = {name: Server(name, certificate, counts) for name, certificate in certificates.items()}
        for server in self.servers.values():
            server.other_origin = self.servers["other"].origin
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def description(self):
        """What the line of JSON says of it."""
        return {name: server.origin for name, server in self.servers.items()}
