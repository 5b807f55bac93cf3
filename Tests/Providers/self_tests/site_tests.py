"""djangorestframework-simplejwt and Django's own session login."""
import requests


def web(rig):
    session = requests.Session()
    session.verify = rig["authority"]
    session.trust_env = False
    return session


def who(rig):
    return {"username": rig["accounts"][0]["name"], "password": rig["accounts"][0]["password"]}


def test_a_jwt_login_gives_two_tokens_and_the_way_in(rig):
    session, url = web(rig), rig["django"]["url"]
    assert session.post(f"{url}/jwt/token/", json={**who(rig), "password": "wrong"}, timeout=10).status_code == 401
    tokens = session.post(f"{url}/jwt/token/", json=who(rig), timeout=10).json()
    assert session.get(f"{url}/jwt/me/", timeout=10).status_code == 401
    own = {"Authorization": f"Bearer {tokens['access']}"}
    assert session.get(f"{url}/jwt/me/", headers=own, timeout=10).json()["user"]["username"] == "alice"
    assert session.post(f"{url}/jwt/verify/", json={"token": tokens["access"]}, timeout=10).status_code == 200
    assert session.post(f"{url}/jwt/verify/", json={"token": tokens["access"] + "x"}, timeout=10).status_code == 401


def test_a_jwt_refresh_rotates_and_the_old_one_is_blacklisted_and_counted(rig):
    session, url = web(rig), rig["django"]["url"]
    tokens = session.post(f"{url}/jwt/token/", json=who(rig), timeout=10).json()
    session.delete(f"{url}/counts/", timeout=10)
    again = session.post(f"{url}/jwt/refresh/", json={"refresh": tokens["refresh"]}, timeout=10).json()
    assert again["refresh"] != tokens["refresh"] and again["access"] != tokens["access"]
    old = session.post(f"{url}/jwt/refresh/", json={"refresh": tokens["refresh"]}, timeout=10)
    assert (old.status_code, old.json()["code"]) == (401, "token_not_valid"), old.text
    counts = session.get(f"{url}/counts/", timeout=10).json()
    assert counts["POST /jwt/refresh/ 200"] == 1 and counts["POST /jwt/refresh/ 401"] == 1, counts


def test_a_jwt_logout_blacklists_the_refresh_token(rig):
    session, url = web(rig), rig["django"]["url"]
    refresh = {"refresh": session.post(f"{url}/jwt/token/", json=who(rig), timeout=10).json()["refresh"]}
    assert session.post(f"{url}/jwt/blacklist/", json=refresh, timeout=10).status_code == 200
    assert session.post(f"{url}/jwt/refresh/", json=refresh, timeout=10).status_code == 401


def sign_in(rig, session, **changed):
    """With the CSRF token, and the Referer that Django wants over TLS."""
    url = rig["django"]["url"]
    token = session.get(f"{url}/session/csrf/", timeout=10).json()["csrfToken"]
    headers = {"X-CSRFToken": token, "Referer": url, **changed}
    return session.post(f"{url}/session/login/", json=who(rig), headers=headers, timeout=10)


def test_a_session_needs_the_csrf_token_and_ends_with_logout(rig):
    session, url = web(rig), rig["django"]["url"]
    assert sign_in(rig, session, **{"X-CSRFToken": "wrong"}).status_code == 403
    assert sign_in(rig, session, Referer="https://elsewhere.invalid").status_code == 403
    before = session.cookies.get("sessionid")
    answer = sign_in(rig, session)
    assert answer.status_code == 200 and session.cookies["sessionid"] != before, answer.text
    assert session.get(f"{url}/session/me/", timeout=10).json()["user"]["username"] == "alice"
    assert session.post(f"{url}/session/logout/", timeout=10).status_code == 403
    stolen = session.cookies["sessionid"]
    headers = {"X-CSRFToken": answer.json()["csrfToken"], "Referer": url}
    assert session.post(f"{url}/session/logout/", headers=headers, timeout=10).status_code == 200
    thief = web(rig)
    thief.cookies.set("sessionid", stolen)
    assert thief.get(f"{url}/session/me/", timeout=10).status_code == 401


def test_a_session_cookie_is_for_https_and_not_for_scripts(rig):
    session = web(rig)
    cookie = sign_in(rig, session).headers["Set-Cookie"]
    assert "Secure" in cookie and "HttpOnly" in cookie, cookie


def test_an_oauth2_token_opens_what_is_behind_it(rig):
    from self_tests.django_tests import client
    native = client(rig)
    own = {"Authorization": f"Bearer {native.sign_in()['access_token']}"}
    session, where = web(rig), f"{rig['django']['url']}/oauth2/me/"
    assert session.get(where, headers=own, timeout=10).json()["user"]["username"] == "alice"
    assert session.get(where, timeout=10).status_code in (401, 403)
