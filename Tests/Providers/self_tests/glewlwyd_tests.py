"""glewlwyd as OpenID provider."""
import hashlib
import secrets
import time
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_private_key

import jose
from self_tests.client import JWT_BEARER, Client, NoAuth, browse, error_of, proof
from verify import verdicts


def client(rig, name="native", issuer="issuer"):
    glewlwyd = rig["glewlwyd"]
    return Client(rig, glewlwyd[issuer], glewlwyd["clients"][name], rig["redirectURIs"][0], glewlwyd["scope"])


def device_key(rig):
    key = jose.Key(rig["glewlwyd"]["clients"]["device"]["keyID"])
    key.private = load_pem_private_key(Path(rig["glewlwyd"]["clients"]["device"]["keyFile"]).read_bytes(), None)
    return key


def assertion(key, client_id, endpoint, **claims):
    """RFC 7523. glewlwyd wants the endpoint that is called as its audience, and each `jti` once."""
    now = int(time.time())
    return {"client_assertion_type": JWT_BEARER, "client_assertion": jose.signed(key, {
        "iss": client_id, "sub": client_id, "aud": endpoint, "jti": secrets.token_urlsafe(12), "iat": now, "exp": now + 60,
        **claims})}


def with_dpop(one, key, access_token, **claims):
    """What userinfo answers to the token with a proof."""
    url = one.endpoint("userinfo")
    ath = jose.encode(hashlib.sha256(access_token.encode()).digest())
    headers = {"Authorization": f"DPoP {access_token}", "DPoP": proof(key, "GET", url, ath=ath, **claims)}
    return one.web.get(url, headers=headers, auth=NoAuth(), timeout=10)


def test_an_authorization_code_gives_tokens_that_four_libraries_accept(rig):
    native = client(rig)
    answer = native.authorize()
    assert (answer["state"], answer["iss"]) == (native.state, native.issuer), answer
    tokens = native.redeem(answer["code"]).json()
    keys = native.web.get(native.metadata["jwks_uri"], timeout=10).json()
    for token, audience, kind in ((tokens["id_token"], "native", "JWT"), (tokens["access_token"], native.scope, "at+jwt")):
        judged = verdicts({"token": token, "jwks": keys, "audience": audience, "issuer": native.issuer, "type": kind})
        assert all(one["accepted"] for one in judged.values()), judged
    claims = jose.parts(tokens["id_token"])[1]
    assert claims["nonce"] == native.nonce and claims["at_hash"] == jose.half_hash(tokens["access_token"]), claims
    assert native.userinfo(tokens["access_token"]).json()["sub"] == claims["sub"]


def test_only_a_registered_redirect_uri_will_do(rig):
    native = client(rig)
    assert all("code" in native.authorize(redirect_uri=uri) for uri in rig["redirectURIs"][1:3])
    assert "refused" in native.authorize(redirect_uri="http://127.0.0.1:4711/callback")


def test_without_pkce_or_with_plain_there_is_no_code(rig):
    native = client(rig)
    for changed in ({"code_challenge": None, "code_challenge_method": None}, {"code_challenge_method": "plain"}):
        answer = native.authorize(**changed)
        assert (answer["error"], answer["iss"]) == ("invalid_request", native.issuer), answer


def test_a_code_needs_its_verifier_and_its_replay_revokes(rig):
    native = client(rig)
    code = native.authorize()["code"]
    assert error_of(native.redeem(code, code_verifier="x" * 43)) == "invalid_code"
    tokens = native.redeem(code).json()
    assert native.userinfo(tokens["access_token"]).status_code == 200
    assert error_of(native.redeem(code)) == "invalid_code"
    assert native.userinfo(tokens["access_token"]).status_code == 401
    assert native.refresh(tokens["refresh_token"]).status_code == 400


def test_a_refusal_leaves_the_program_with_less_than_it_asked_for(rig):
    native = client(rig)
    answer = native.authorize("--deny", account=1)
    assert native.redeem(answer["code"]).json()["scope"] == "openid"


def test_a_refresh_token_rotates_and_its_reuse_ends_the_family(rig):
    native = client(rig)
    first = native.sign_in()
    second = native.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert native.refresh(first["refresh_token"]).status_code == 400
    assert native.refresh(second["refresh_token"]).status_code == 400


def test_a_confidential_client_may_introspect_and_revoke(rig):
    confidential = client(rig, "confidential")
    tokens = confidential.sign_in()
    asked, ended = confidential.endpoint("introspection"), confidential.endpoint("revocation")
    for token in (tokens["access_token"], tokens["refresh_token"]):
        assert confidential.ask(asked, token=token).json()["active"] is True
        assert confidential.ask(ended, token=token).status_code == 200
        assert confidential.ask(asked, token=token).json()["active"] is False
    assert confidential.userinfo(tokens["access_token"]).status_code == 401
    assert confidential.refresh(tokens["refresh_token"]).status_code == 400


def test_a_public_client_may_not_revoke(rig):
    native = client(rig)
    tokens = native.sign_in()
    assert native.ask(native.endpoint("revocation"), token=tokens["refresh_token"]).status_code == 401


def test_a_device_waits_and_gets_tokens_after_consent(rig):
    native = client(rig)
    started = native.ask(native.endpoint("device_authorization"), scope=native.scope).json()
    assert error_of(native.poll(started["device_code"])) == "authorization_pending"
    assert error_of(native.poll(started["device_code"])) == "slow_down"
    done = browse(rig, rig["accounts"][0], "--device", started["verification_uri"], started["user_code"])
    assert done.returncode == 0, done.stderr
    tokens = native.poll_until_decided(started["device_code"], started["interval"]).json()
    assert jose.parts(tokens["id_token"])[1]["email"] == "alice@example.invalid"
    # The short cut, with the code in the address.
    again = native.ask(native.endpoint("device_authorization"), scope=native.scope).json()
    assert browse(rig, rig["accounts"][0], "--device", again["verification_uri_complete"]).returncode == 0


def test_an_unknown_device_code_stops_the_browser(rig):
    native = client(rig)
    started = native.ask(native.endpoint("device_authorization"), scope=native.scope).json()
    done = browse(rig, rig["accounts"][0], "--device", started["verification_uri"], "WRONG")
    assert done.returncode == 1 and "deviceCodeError" in done.stderr, done


def test_private_key_jwt_is_needed_and_each_assertion_good_once(rig):
    device, key = client(rig, "device"), device_key(rig)
    where = device.endpoint("token")
    code = device.authorize()["code"]
    assert device.redeem(code).status_code == 403
    once = assertion(key, "device", where)
    tokens = device.redeem(code, **once).json()
    refreshed = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    foreign = jose.Key(key.name)
    for bad in (once, assertion(foreign, "device", where), assertion(key, "device", device.issuer),
                assertion(key, "device", where, exp=int(time.time()) - 60)):
        assert device.ask(where, **refreshed, **bad).status_code == 403
    tokens = device.ask(where, **refreshed, **assertion(key, "device", where)).json()
    revocation = device.endpoint("revocation")
    assert device.ask(revocation, token=tokens["refresh_token"], **assertion(key, "device", revocation)).status_code == 200
    refreshed["refresh_token"] = tokens["refresh_token"]
    assert device.ask(where, **refreshed, **assertion(key, "device", where)).status_code == 400


def test_a_client_registers_itself_with_a_key_and_goes_again(rig):
    native, key = client(rig), jose.Key("laptop")
    wish = {"client_name": "laptop", "redirect_uris": ["http://127.0.0.1:4711/callback"], "application_type": "native",
            "token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key.published()]},
            "grant_types": ["authorization_code", "refresh_token", "device_authorization"]}
    registered = native.web.post(native.endpoint("registration"), json=wish, timeout=10)
    assert registered.status_code == 200, registered.text
    identity = registered.json()
    laptop = Client(rig, native.issuer, {"id": identity["client_id"]}, wish["redirect_uris"][0], native.scope)
    tokens = laptop.redeem(laptop.authorize()["code"], **assertion(key, laptop.id, laptop.endpoint("token")))
    assert tokens.status_code == 200, tokens.text
    own = {"Authorization": f"Bearer {identity['registration_access_token']}"}
    assert native.web.delete(identity["registration_client_uri"], headers=own, timeout=10).status_code == 200
    assert "refused" in laptop.authorize()


def test_a_public_client_registers_itself(rig):
    native = client(rig)
    wish = {"redirect_uris": ["http://127.0.0.1:4711/callback"], "token_endpoint_auth_method": "none",
            "client_confidential": False, "grant_types": ["authorization_code", "refresh_token"]}
    identity = native.web.post(native.endpoint("registration"), json=wish, timeout=10).json()
    laptop = Client(rig, native.issuer, {"id": identity["client_id"]}, wish["redirect_uris"][0], native.scope)
    assert "refresh_token" in laptop.sign_in()


def test_dpop_binds_tokens_to_a_key(rig):
    native, key, other = client(rig), jose.Key("own"), jose.Key("other")
    where = native.endpoint("token")
    tokens = native.redeem(native.authorize()["code"], headers={"DPoP": proof(key, "POST", where)}).json()
    assert tokens["token_type"] == "DPoP"
    assert jose.parts(tokens["access_token"])[1]["cnf"]["jkt"] == key.thumbprint()
    assert native.userinfo(tokens["access_token"]).status_code == 401
    # That it is this very key glewlwyd asks only at the token endpoint (README.md).
    assert with_dpop(native, key, tokens["access_token"], htm="POST").status_code == 401
    assert with_dpop(native, key, tokens["access_token"]).status_code == 200
    stolen = native.refresh(tokens["refresh_token"], headers={"DPoP": proof(other, "POST", where)})
    assert error_of(stolen) == "invalid_dpop_proof"
    assert error_of(native.refresh(tokens["refresh_token"])) == "invalid_dpop_proof"
    replayed = {"DPoP": proof(key, "POST", where)}
    refreshed = native.refresh(tokens["refresh_token"], headers=replayed)
    assert refreshed.status_code == 200
    assert error_of(native.refresh(refreshed.json()["refresh_token"], headers=replayed)) == "invalid_dpop_proof"


def test_a_proof_for_another_address_or_of_another_time_is_refused(rig):
    native, key = client(rig), jose.Key("own")
    where, now = native.endpoint("token"), int(time.time())
    code = native.authorize()["code"]
    for bad in (proof(key, "GET", where), proof(key, "POST", native.issuer), proof(key, "POST", where, iat=now - 600),
                proof(key, "POST", where, iat=now + 600)):
        assert error_of(native.redeem(code, headers={"DPoP": bad})) == "invalid_dpop_proof"


def test_a_clock_that_is_five_seconds_ahead_is_forgiven(rig):
    native, key = client(rig), jose.Key("own")
    ahead = proof(key, "POST", native.endpoint("token"), iat=int(time.time()) + 5)
    assert native.redeem(native.authorize()["code"], headers={"DPoP": ahead}).status_code == 200


def test_the_second_issuer_wants_a_nonce_in_each_proof(rig):
    native, key = client(rig, issuer="nonceIssuer"), jose.Key("own")
    where = native.endpoint("token")
    code = native.authorize()["code"]
    told = native.redeem(code, headers={"DPoP": proof(key, "POST", where)})
    assert error_of(told) == "use_dpop_nonce"
    nonce = told.headers["DPoP-Nonce"]
    tokens = native.redeem(code, headers={"DPoP": proof(key, "POST", where, nonce=nonce)}).json()
    told = with_dpop(native, key, tokens["access_token"])
    assert told.status_code == 401 and "use_dpop_nonce" in told.headers["WWW-Authenticate"]
    assert with_dpop(native, key, tokens["access_token"], nonce=told.headers["DPoP-Nonce"]).status_code == 200


def test_a_bound_client_gets_nothing_without_a_proof(rig):
    bound = client(rig, "bound")
    assert error_of(bound.redeem(bound.authorize()["code"])) == "invalid_dpop_proof"
