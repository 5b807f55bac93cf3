#!/usr/bin/python3
"""sign_in.py FIFO: signs in to a site by Debian's python3-fido2. Each line from FIFO is a step, and what came of it a line of output:

    make NAME   a passkey for the account NAME
    sign        without a name: the accounts that were found, and how many of their signatures are theirs
    secret NAME two secrets of NAME's passkey (hmac-secret)
    cancel      what a question that the program gives up ends with
"""
import os
import sys
import threading

from fido2.client import ClientError, Fido2Client
from fido2.ctap import STATUS, CtapError
from fido2.ctap2 import ClientPin, Ctap2
from fido2.ctap2.pin import PinProtocolV2
from fido2.hid import CtapHidDevice

SITE = "example.org"
HASH = bytes(32)
made = {}


def make(name):
    found = client.make_credential({
        "rp": {"id": SITE, "name": "Example"}, "user": {"id": name.encode(), "name": name, "displayName": name.title()},
        "challenge": HASH, "pubKeyCredParams": [{"type": "public-key", "alg": -7}], "extensions": {"hmacCreateSecret": True},
        "authenticatorSelection": {"requireResidentKey": True, "userVerification": "required"}})
    data = found.attestation_object.auth_data
    made[name] = data.credential_data
    return f"made {name}, verified {data.is_user_verified()}, {dict(data.extensions)}"


def sign():
    selection = client.get_assertion({"challenge": HASH, "rpId": SITE, "userVerification": "required"})
    found = selection.get_assertions()
    for assertion in found:
        name = assertion.user["id"].decode()
        # It fails where the signature is another's.
        assertion.verify(selection.get_response(0).client_data.hash, made[name].public_key)
    return "signed " + " ".join(sorted(assertion.user["name"] for assertion in found))


def secret(name):
    # Its ClientPin wants a key that has a PIN.
    pin = PinProtocolV2()
    key, shared = pin.encapsulate(ctap.client_pin(pin.VERSION, ClientPin.CMD.GET_KEY_AGREEMENT)[ClientPin.RESULT.KEY_AGREEMENT])
    salts = pin.encrypt(shared, bytes(range(64)))
    wanted = {1: key, 2: salts, 3: pin.authenticate(shared, salts), 4: pin.VERSION}
    allowed = [{"type": "public-key", "id": made[name].credential_id}]
    assertion = ctap.get_assertion(SITE, HASH, allowed, {"hmac-secret": wanted})
    assertion.verify(HASH, made[name].public_key)
    secrets = pin.decrypt(shared, assertion.auth_data.extensions["hmac-secret"])
    return f"secrets of {len(secrets)} bytes, different {secrets[:32] != secrets[32:]}"


def cancel():
    given_up = threading.Event()

    def asked(status):
        if status == STATUS.UPNEEDED:
            given_up.set()

    ctap.get_assertion(SITE, HASH, event=given_up, on_keepalive=asked)
    return "signed"


ctap = Ctap2(next(CtapHidDevice.list_devices()))
client = Fido2Client(ctap.device, "https://" + SITE)
steps = {"make": make, "sign": sign, "secret": secret, "cancel": cancel}
# Open for both, so that it does not end between two writers.
for line in os.fdopen(os.open(sys.argv[1], os.O_RDWR)):
    word, *rest = line.split()
    try:
        print(steps[word](*rest), flush=True)
    except CtapError as error:
        print(error.code.name, flush=True)
    except ClientError as error:
        print(getattr(error.cause, "code", error.code).name, flush=True)
