"""The four libraries accept what is right and refuse what attackers make of it."""
import time

import jose
from verify import verdicts

KEY, FOREIGN = jose.Key("right"), jose.Key("foreign")


def judge(token, **changed):
    asked = {"token": token, "jwks": {"keys": [KEY.published()]}, "audience": "here", "issuer": "https://there.invalid",
             "type": "at+jwt", **changed}
    return verdicts(asked)


def claims(**changed):
    now = int(time.time())
    return {"iss": "https://there.invalid", "aud": "here", "sub": "somebody", "iat": now, "exp": now + 60, **changed}


def accepted(judged):
    return [name for name, verdict in judged.items() if verdict["accepted"]]


def test_a_good_token_is_accepted_by_all(_):
    for good in (jose.signed(KEY, claims(), typ="at+jwt"),
                 jose.signed(KEY, claims(aud=["here", "there"]), typ="application/AT+JWT")):
        assert len(accepted(judge(good))) == 4, judge(good)


def test_a_bad_token_is_accepted_by_none(_):
    now = int(time.time())
    good = jose.signed(KEY, claims(), typ="at+jwt")
    bad = {
        "tampered": jose.tampered(good, sub="another"), "none": jose.unsigned(claims(), typ="at+jwt"),
        "HS256": jose.keyed_with_public_key(KEY, claims(), typ="at+jwt"), "typ": jose.signed(KEY, claims(), typ="JWT"),
        "no typ": jose.signed(KEY, claims()), "wrong key": jose.signed(FOREIGN, claims(), typ="at+jwt", kid=KEY.name),
        "unknown key": jose.signed(FOREIGN, claims(), typ="at+jwt"),
        "critical": jose.signed(KEY, claims(), typ="at+jwt", crit=["x"], x=1),
        "expired": jose.signed(KEY, claims(exp=now - 1), typ="at+jwt"),
        "not yet": jose.signed(KEY, claims(nbf=now + 60), typ="at+jwt"),
        "audience": jose.signed(KEY, claims(aud="there"), typ="at+jwt"),
        "issuer": jose.signed(KEY, claims(iss="https://elsewhere.invalid"), typ="at+jwt"),
        "no token": "a.b.c",
    }
    for name, token in bad.items():
        assert accepted(judge(token)) == [], (name, accepted(judge(token)))
