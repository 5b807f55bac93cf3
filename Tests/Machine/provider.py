"""provider.py FOLDER: an identity provider inside the guest, at https://localhost:4433: OAuth 2.0 with metadata (RFC 8414), for devices
(RFC 8628), which everybody has consented to already. FOLDER has its certificate and key, and what it remembers.

It is a strict one: a refresh token is good once, and ends the sign-in where it comes again. What it gives is on its disk before it says
so. While FOLDER/hold is there an answer to a refresh is made and not sent; FOLDER/held tells of one."""
import http.server
import json
import os
import secrets
import ssl
import sys
import time
import urllib.parse

PORT = 4433
ISSUER = f"https://localhost:{PORT}"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
METADATA = {
    "issuer": ISSUER, "token_endpoint": ISSUER + "/token", "device_authorization_endpoint": ISSUER + "/device",
    "revocation_endpoint": ISSUER + "/revoke", "grant_types_supported": [DEVICE_CODE, "refresh_token"],
}


class Grants:
    """The refresh token that is good now; None where there is none."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "grants")

    @property
    def current(self):
        if not os.path.exists(self.path):
            return None
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def set(self, token):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(token, file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(self.path + ".new", self.path)
        folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def give(self):
        self.set(secrets.token_urlsafe(24))
        return {"access_token": secrets.token_urlsafe(24), "token_type": "Bearer", "expires_in": 300, "refresh_token": self.current}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/.well-known/oauth-authorization-server":
            return self.send(200, METADATA)
        return self.send(404, {})

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode()))
        return self.send(*self.answer(form))

    def answer(self, form):
        grants = self.server.grants
        if self.path == "/device":
            return 200, {"device_code": secrets.token_urlsafe(24), "user_code": "ABCD-EFGH", "verification_uri": ISSUER + "/page",
                         "expires_in": 300, "interval": 1}
        if self.path == "/revoke":
            if form.get("token") == grants.current:
                grants.set(None)
            return 200, {}
        if self.path == "/token" and form.get("grant_type") == DEVICE_CODE:
            return 200, grants.give()
        if self.path == "/token" and grants.current and form.get("refresh_token") == grants.current:
            given = grants.give()
            self.hold()
            return 200, given
        grants.set(None)
        return 400, {"error": "invalid_grant"}

    def hold(self):
        folder = self.server.folder
        if os.path.exists(folder + "/hold"):
            open(folder + "/held", "w").close()
        while os.path.exists(folder + "/hold"):
            time.sleep(0.05)

    def send(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    server.folder, server.grants = folder, Grants(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


main(sys.argv[1])
