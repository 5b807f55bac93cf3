"""django-oauth-toolkit as OpenID provider."""
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import jose
from self_tests.client import BROWSER, Client, browse, error_of
from self_tests.listener import Listener
from verify import verdicts

ANY_PORT = "http://127.0.0.1:4711/callback"


def client(rig, name="native", redirect_uri=ANY_PORT):
    django = rig["django"]
    made = Client(rig, django["issuer"], django["clients"][name], redirect_uri, django["scope"])
    # Its OpenID metadata leave out what RFC 8414's have, and both the endpoint for devices.
    oauth = made.web.get(f"{django['url']}/.well-known/oauth-authorization-server/o", timeout=10).json()
    made.metadata = {"device_authorization_endpoint": f"{django['issuer']}/device-authorization/", **oauth, **made.metadata}
    return made


def test_an_authorization_code_gives_tokens_that_four_libraries_accept(rig):
    native = client(rig)
    answer = native.authorize()
    assert (answer["state"], answer["iss"]) == (native.state, native.issuer), answer
    tokens = native.redeem(answer["code"]).json()
    keys = native.web.get(native.metadata["jwks_uri"], timeout=10).json()
    judged = verdicts({"token": tokens["id_token"], "jwks": keys, "audience": "native", "issuer": native.issuer,
                       "algorithms": ["RS256"]})
    assert all(one["accepted"] for one in judged.values()), judged
    claims = jose.parts(tokens["id_token"])[1]
    assert claims["nonce"] == native.nonce and claims["at_hash"] == jose.half_hash(tokens["access_token"]), claims
    assert native.userinfo(tokens["access_token"]).json()["sub"] == claims["sub"]


def test_the_browser_follows_the_redirect_to_the_program(rig):
    with Listener() as listener:
        native = client(rig, redirect_uri=listener.uri)
        done = browse(rig, rig["accounts"][0], native.authorization_url())
        assert done.returncode == 0, done.stderr
        assert listener.received()["state"] == native.state
        assert native.redeem(listener.received()["code"]).status_code == 200


def test_the_browser_stands_in_for_xdg_open(rig):
    with tempfile.TemporaryDirectory() as directory, Listener() as listener:
        opener, who = Path(directory, "xdg-open"), Path(directory, "who")
        who.write_text(f"{rig['accounts'][0]['name']}\n{rig['accounts'][0]['password']}\n")
        opener.write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "{BROWSER}" --ca "{rig["authority"]}" "$1" < "{who}"\n')
        opener.chmod(0o700)
        subprocess.run([opener, client(rig, redirect_uri=listener.uri).authorization_url()], check=True, timeout=60)
        assert "code" in listener.received()


def test_two_people_may_answer_one_request(rig):
    native = client(rig)
    url = native.authorization_url()
    answers = [browse(rig, account, "--stop-before-redirect", url).stdout for account in rig["accounts"]]
    codes = [dict(parse_qsl(urlsplit(answer.strip()).query))["code"] for answer in answers]
    subjects = [jose.parts(native.redeem(code).json()["id_token"])[1]["sub"] for code in codes]
    assert subjects[0] != subjects[1]


def test_a_wrong_password_stops_the_browser(rig):
    done = browse(rig, {"name": "alice", "password": "wrong"}, client(rig).authorization_url())
    assert done.returncode == 1 and "did not take the password" in done.stderr, done


def test_any_port_of_the_loopback_will_do_and_no_other_path_or_name(rig):
    native = client(rig)
    for good in ("http://127.0.0.1:4712/callback", "http://[::1]:4713/callback"):
        assert "code" in native.authorize(redirect_uri=good), good
    for bad in ("http://127.0.0.1:4712/other", "http://localhost:4711/callback", "https://elsewhere.invalid/callback"):
        assert "refused" in native.authorize(redirect_uri=bad), bad


def test_without_pkce_or_with_plain_there_is_no_code(rig):
    native = client(rig)
    for changed in ({"code_challenge": None, "code_challenge_method": None}, {"code_challenge_method": "plain"}):
        assert native.authorize(**changed)["error"] == "invalid_request"


def test_a_code_needs_its_verifier_and_redirect_uri_and_is_good_once(rig):
    native = client(rig)
    code = native.authorize()["code"]
    assert error_of(native.redeem(code, code_verifier="x" * 43)) == "invalid_grant"
    assert error_of(native.redeem(code, redirect_uri="http://127.0.0.1:4712/callback")) == "invalid_request"
    assert native.redeem(code).status_code == 200
    assert error_of(native.redeem(code)) == "invalid_grant"


def test_a_refusal_reaches_the_program(rig):
    native = client(rig)
    answer = native.authorize("--deny")
    assert (answer["error"], answer["state"]) == ("access_denied", native.state), answer


def test_a_refresh_token_rotates_and_its_reuse_ends_the_family(rig):
    native = client(rig)
    first = native.sign_in()
    second = native.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert native.userinfo(first["access_token"]).status_code == 401
    assert native.userinfo(second["access_token"]).status_code == 200
    assert error_of(native.refresh(first["refresh_token"])) == "invalid_grant"
    assert error_of(native.refresh(second["refresh_token"])) == "invalid_grant"
    assert native.userinfo(second["access_token"]).status_code == 401


def test_a_revoked_token_takes_its_sibling_along(rig):
    native = client(rig)
    for revoked in ("refresh_token", "access_token"):
        tokens = native.sign_in()
        assert native.ask(native.endpoint("revocation"), token=tokens[revoked]).status_code == 200
        assert native.userinfo(tokens["access_token"]).status_code == 401
        assert error_of(native.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_a_confidential_client_may_introspect(rig):
    confidential = client(rig, "confidential")
    tokens = confidential.sign_in()
    where = confidential.endpoint("introspection")
    assert confidential.ask(where, token=tokens["access_token"]).json()["active"] is True
    assert confidential.ask(where, token="unknown").json()["active"] is False
    confidential.web.auth = ("confidential", "wrong")
    assert confidential.refresh(tokens["refresh_token"]).status_code == 401


def test_a_device_waits_and_gets_tokens_after_consent(rig):
    device = client(rig, "device")
    started = device.ask(device.endpoint("device_authorization"), scope=device.scope).json()
    assert error_of(device.poll(started["device_code"])) == "authorization_pending"
    done = browse(rig, rig["accounts"][0], "--device", started["verification_uri"], started["user_code"])
    assert done.returncode == 0, done.stderr
    tokens = device.poll_until_decided(started["device_code"], started["interval"]).json()
    assert device.userinfo(tokens["access_token"]).json()["preferred_username"] == "alice"


def test_a_device_is_told_of_a_refusal(rig):
    device = client(rig, "device")
    started = device.ask(device.endpoint("device_authorization"), scope=device.scope).json()
    done = browse(rig, rig["accounts"][0], "--deny", "--device", started["verification_uri_complete"])
    assert done.returncode == 0, done.stderr
    assert error_of(device.poll_until_decided(started["device_code"], started["interval"])) == "access_denied"


def test_a_client_registers_itself_and_goes_again(rig):
    native = client(rig)
    wish = {"client_name": "laptop", "redirect_uris": ["http://127.0.0.1/callback"], "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"]}
    registered = native.web.post(native.endpoint("registration"), json=wish, timeout=10)
    assert registered.status_code == 201, registered.text
    identity = registered.json()
    laptop = Client(rig, native.issuer, {"id": identity["client_id"]}, ANY_PORT, native.scope)
    assert "id_token" in laptop.sign_in()
    own = {"Authorization": f"Bearer {identity['registration_access_token']}"}
    assert native.web.delete(identity["registration_client_uri"], headers=own, timeout=10).status_code == 204
    assert "refused" in laptop.authorize()
