"""A site that people sign in to by passkeys, on https, which tells with each of them what it had from the browser."""
import http.server
import json
import queue
import ssl
import threading

from fido2.client import ClientData
from fido2.ctap2 import AttestationObject, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode

# Its button begins what the site has planned; what comes of it is sent to the site.
PAGE = b"""<!doctype html><meta charset=utf-8><title>Sign in</title><button id=go style="font-size:60px">Go</button><button id=stop>Stop</button><script>
const stop = new AbortController();
document.getElementById("stop").onclick = () => stop.abort();
document.getElementById('go').onclick = async () => {
  const {number, kind, publicKey} = await (await fetch('/asked')).json();
  let answer;
  try {
    const read = kind == 'create' ? PublicKeyCredential.parseCreationOptionsFromJSON : PublicKeyCredential.parseRequestOptionsFromJSON;
    const credential = await navigator.credentials[kind]({publicKey: read.call(PublicKeyCredential, publicKey), signal: stop.signal});
    answer = credential.toJSON();
    // Chromium 150 leaves them out of that.
    const secrets = credential.getClientExtensionResults().prf?.results ?? {};
    answer.secrets = Object.values(secrets).map(secret => Array.from(new Uint8Array(secret)));
  } catch (error) {
    answer = {error: error.name, message: error.message};
  }
  await fetch('/answered/' + number, {method: 'POST', body: JSON.stringify(answer)});
};
</script>"""


class Refused(Exception):
    """The browser gives no passkey, and says why."""


class RelyingParty:
    """The accounts of one site. `host` is its name, and that of its passkeys."""

    def __init__(self, host):
        self.host, self.accounts = host, {}
        self.server = Fido2Server({"id": host, "name": "Example"})

    def creates(self, name, **extensions):
        """What the browser is asked for where NAME makes a passkey, and what takes its answer."""
        options, state = self.server.register_begin(
            {"id": name.encode(), "name": name, "displayName": name.title()}, resident_key=True, user_verification="required",
            authenticator_attachment="cross-platform")

        def complete(answer):
            made = AttestationObject(answer["response"]["attestationObject"])
            data = self.server.register_complete(state, ClientData(answer["response"]["clientDataJSON"]), made)
            self.accounts[name] = data.credential_data
            return f"made {name}, verified {data.is_user_verified()}, attached {answer['authenticatorAttachment']}"

        return asked("create", options, extensions), complete

    def gets(self, *names, **extensions):
        """The same for a sign-in, to one of the accounts or, without a name, to any."""
        options, state = self.server.authenticate_begin([self.accounts[name] for name in names] or None, "required")

        def complete(answer):
            said = answer["response"]
            used = self.server.authenticate_complete(
                state, list(self.accounts.values()), answer["rawId"], ClientData(said["clientDataJSON"]),
                AuthenticatorData(said["authenticatorData"]), said["signature"])
            secrets = [bytes(secret) for secret in answer["secrets"]]
            found = f", secrets of {[len(secret) for secret in secrets]} bytes, different {len(set(secrets)) == len(secrets)}" if secrets else ""
            return "signed " + next(name for name, known in self.accounts.items() if known == used) + found

        return asked("get", options, extensions), complete


def asked(kind, options, extensions):
    return {"kind": kind, "publicKey": {**as_json(options["publicKey"]), "extensions": as_json(extensions)}}


def as_json(value):
    """As WebAuthn writes it in JSON: bytes are base64url."""
    if isinstance(value, bytes):
        return websafe_encode(value)
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    return [as_json(part) for part in value] if isinstance(value, (list, tuple)) else value


class Pages:
    """The https server of all sites: it gives the page what is asked next, and has what comes of it."""

    def __init__(self, certificate, port):
        self.next, self.answers = None, []
        pages = self

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.replies(json.dumps(pages.next).encode() if self.path == "/asked" else PAGE)

            def do_POST(self):
                pages.answers[int(self.path.rpartition('/')[2])].put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.replies(b"")

            def replies(self, body):
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Page)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def plans(self, asked):
        """Has the next page ask for this; returns the number of its answer, which is not that of a page before it."""
        self.answers.append(queue.Queue())
        self.next = {"number": len(self.answers) - 1, **asked}
        return self.next["number"]

    def answer(self, number):
        """What the page has sent, with its bytes."""
        answer = self.answers[number].get()
        if "error" in answer:
            raise Refused(f"{answer['error']}: {answer['message']}")
        answer["rawId"] = websafe_decode(answer["rawId"])
        for name in ("attestationObject", "clientDataJSON", "authenticatorData", "signature"):
            if name in answer["response"]:
                answer["response"][name] = websafe_decode(answer["response"][name])
        return answer
