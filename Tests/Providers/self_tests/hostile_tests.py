"""Each misbehaviour is what its name says."""
import json
import ssl
import urllib.parse

import requests

import jose
from hostile_provider import LIES
from self_tests.client import Client, error_of, DEVICE_CODE

BROKEN = (requests.ConnectionError, requests.exceptions.ChunkedEncodingError)
REDIRECT = "http://127.0.0.1:4711/callback"


def web(rig):
    session = requests.Session()
    session.verify = rig["authority"]
    session.trust_env = False
    return session


def get(rig, path, listener="hostile", **options):
    return web(rig).get(f"{rig['hostile'][listener]}/{path}", timeout=options.pop("timeout", 5), **options)


def fails(what, kind):
    try:
        what()
    except kind:
        return True
    return False


def metadata_path(lie):
    return f"{lie}/.well-known/openid-configuration"


def test_each_lie_has_metadata_of_its_own(rig):
    for lie in LIES:
        issuer = get(rig, metadata_path(lie)).json()["issuer"]
        expected = "none" if lie == "mix-up" else lie
        assert issuer == f"{rig['hostile']['hostile']}/{expected}", (lie, issuer)
    assert get(rig, ".well-known/oauth-authorization-server/none").json()["issuer"].endswith("/none")
    assert get(rig, "no-such-lie/token").status_code == 404


def test_garbage_and_other_bodies_that_are_not_json(rig):
    for name in ("garbage", "not-utf8"):
        assert fails(lambda: json.loads(get(rig, metadata_path(name)).content), ValueError), name
    assert fails(lambda: json.loads(get(rig, metadata_path("deep")).content), RecursionError)
    mislabelled = get(rig, metadata_path("content-type"))
    assert mislabelled.headers["Content-Type"] == "text/html" and mislabelled.json()["issuer"]


def test_megabytes_are_valid_and_many(rig):
    answer = get(rig, metadata_path("megabytes"))
    assert len(answer.content) > 8_000_000 and answer.json()["token_endpoint"]


def test_endless_slow_and_silent_answers(rig):
    with get(rig, metadata_path("endless"), stream=True) as answer:
        assert sum(len(chunk) for chunk, _ in zip(answer.iter_content(65536), range(200))) > 10_000_000
    with get(rig, metadata_path("slow"), stream=True) as answer:
        assert [len(chunk) for chunk, _ in zip(answer.iter_content(1), range(3))] == [1, 1, 1]
    assert fails(lambda: get(rig, metadata_path("silent"), timeout=0.5), requests.ReadTimeout)


def test_broken_connections(rig):
    for name in ("closing", "reset", "not-http"):
        assert fails(lambda: get(rig, metadata_path(name)), BROKEN), name
    assert fails(lambda: get(rig, metadata_path("long-header")), BROKEN)


def test_failures_end_after_as_many_as_named(rig):
    statuses = [get(rig, "failing-2~self-test/resource").status_code for _ in range(3)]
    assert statuses == [500, 500, 200], statuses
    limited = get(rig, "limited-1~self-test/resource")
    assert (limited.status_code, limited.headers["Retry-After"]) == (429, "1")
    assert get(rig, "limited-1~self-test/resource").status_code == 200


def test_redirects_leave_the_origin_or_stay(rig):
    away = get(rig, "redirect-307/token", allow_redirects=False)
    assert away.status_code == 307 and away.headers["Location"] == f"{rig['hostile']['other']}/none/token"
    home = get(rig, "around/token", allow_redirects=False)
    assert home.status_code == 302 and home.headers["Location"] == f"{rig['hostile']['hostile']}/none/token"


def test_a_fault_at_one_endpoint_leaves_the_others_alone(rig):
    assert get(rig, metadata_path("garbage@jwks")).json()["issuer"].endswith("/garbage@jwks")
    assert fails(lambda: get(rig, "garbage@jwks/jwks").json(), ValueError)


def test_requests_are_counted_and_credentials_noticed(rig):
    session, origin = web(rig), rig["hostile"]["other"]
    session.get(f"{origin}/none~counted/jwks", timeout=5)
    session.get(f"{origin}/none~counted/jwks", headers={"Authorization": "Bearer x"}, timeout=5)
    counts = session.get(f"{origin}/counts", timeout=5).json()
    assert counts["other GET /none~counted/jwks"] == 2, counts
    assert counts["other GET /none~counted/jwks with credentials"] == 1, counts


def test_certificates_that_must_not_be_trusted(rig):
    for listener in ("wrongName", "expired", "unknownAuthority"):
        assert fails(lambda: get(rig, "none/jwks", listener), requests.exceptions.SSLError), listener
    assert get(rig, "none/jwks", "other").status_code == 200
    assert certificate(rig, "hostile") != certificate(rig, "other")


def certificate(rig, listener):
    return ssl.get_server_certificate(("127.0.0.1", urllib.parse.urlsplit(rig["hostile"][listener]).port))


def test_the_addresses_of_djangos_site_answer_as_it_does(rig):
    session, origin = web(rig), rig["hostile"]["hostile"]
    refresh = f"{origin}/failing-1@jwt.refresh~self-test/jwt/refresh/"
    assert [session.post(refresh, timeout=5).status_code for _ in range(2)] == [500, 200]
    tokens = session.post(f"{origin}/none/jwt/token/", timeout=5).json()
    assert jose.parts(tokens["access"])[1]["token_type"] == "access" and tokens["refresh"]
    assert session.get(f"{origin}/none/session/csrf/", timeout=5).json()["csrfToken"] == session.cookies["csrftoken"]
    assert session.post(f"{origin}/none/session/login/", timeout=5).json()["user"]["username"] == "somebody"
    assert "sessionid" in session.cookies


class Exchange(Client):
    """A code for tokens with one liar, who needs no person."""

    def __init__(self, rig, lie):
        issuer = f"{rig['hostile']['hostile']}/{lie}"
        super().__init__(rig, issuer, {"id": "native"}, REDIRECT, "openid")

    def answer(self):
        sent = self.web.get(self.authorization_url(), allow_redirects=False, timeout=5).headers["Location"]
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sent).query))

    def id_token(self):
        return self.redeem(self.answer()["code"]).json()["id_token"]


def test_an_honest_exchange_is_right_in_all(rig):
    honest = Exchange(rig, "none")
    answer = honest.answer()
    assert answer["state"] == honest.state and answer["iss"] == honest.issuer
    tokens = honest.redeem(answer["code"]).json()
    claims = jose.parts(tokens["id_token"])[1]
    assert claims["nonce"] == honest.nonce and claims["aud"] == "native" and claims["iss"] == honest.issuer
    assert error_of(honest.redeem(answer["code"], code_verifier="wrong")) == "invalid_grant"
    assert honest.refresh(tokens["refresh_token"]).json()["refresh_token"] != tokens["refresh_token"]


def test_lies_in_the_redirect(rig):
    assert Exchange(rig, "denied").answer()["error"] == "access_denied"
    assert Exchange(rig, "wrong-state").answer()["state"] == "another"
    assert Exchange(rig, "response-issuer").answer()["iss"].endswith("/none")
    for lie, missing in (("no-state", "state"), ("no-response-issuer", "iss"), ("no-code", "code")):
        assert missing not in Exchange(rig, lie).answer(), lie


def test_lies_about_tokens_differ_from_the_truth_in_one_thing(rig):
    changed = {"wrong-audience": "aud", "many-audiences": "aud", "wrong-issuer": "iss", "wrong-nonce": "nonce",
               "no-nonce": "nonce", "wrong-hash": "at_hash", "other-subject": "sub", "no-subject": "sub", "no-expiry": "exp",
               "exp-text": "exp"}
    for lie, name in changed.items():
        exchange = Exchange(rig, lie)
        answer = exchange.redeem(exchange.answer()["code"]).json()
        claims = jose.parts(answer["id_token"])[1]
        truth = {"iss": exchange.issuer, "aud": "native", "sub": "somebody", "nonce": exchange.nonce,
                 "at_hash": jose.half_hash(answer["access_token"])}
        different = {claim for claim, value in truth.items() if claims.get(claim) != value}
        assert different == ({name} if name in truth else set()), (lie, different)
        assert name != "exp" or not isinstance(claims.get("exp"), int), lie


def test_lies_in_signatures(rig):
    headers = {lie: jose.parts(Exchange(rig, lie).id_token())[0] for lie in
               ("alg-none", "hs256", "wrong-key", "unknown-key", "embedded-key", "wrong-type", "critical", "tampered")}
    assert headers["alg-none"]["alg"] == "none" and headers["hs256"]["alg"] == "HS256"
    assert headers["unknown-key"]["kid"] == "foreign" and headers["wrong-key"]["kid"] == "signing"
    assert "jwk" in headers["embedded-key"] and headers["wrong-type"]["typ"] == "at+jwt" and "crit" in headers["critical"]


def test_keys_that_are_wrong_missing_or_late(rig):
    def kids(path):
        return [key["kid"] for key in get(rig, path).json()["keys"]]
    assert kids("wrong-keys/jwks") == ["foreign"] and kids("no-keys/jwks") == []
    assert [kids("rotated-keys~self-test/jwks") for _ in range(2)] == [["foreign"], ["signing"]]


def test_what_devices_are_told(rig):
    session = web(rig)
    for lie, error in (("device-denied", "access_denied"), ("device-expired", "expired_token"),
                       ("device-pending", "authorization_pending"), ("device-slow~self-test", "slow_down")):
        where = f"{rig['hostile']['hostile']}/{lie}/token"
        form = {"grant_type": DEVICE_CODE, "device_code": "device", "client_id": "native"}
        assert error_of(session.post(where, data=form, timeout=5)) == error, lie
    escape = session.post(f"{rig['hostile']['hostile']}/device-escape/device_authorization", timeout=5).json()
    assert "\x1b" in escape["user_code"]
