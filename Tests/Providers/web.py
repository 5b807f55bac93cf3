"""A browser without scripts: pages, forms, cookies; redirects are left to the caller."""
import html.parser
import http.cookiejar
import json
import ssl
import urllib.parse
import urllib.request

MOST_BYTES = 1_000_000
SECONDS = 30


class Form:
    """Where it goes, and its fields: name, value, kind of each, in their order."""

    def __init__(self, action):
        self.action = action
        self.fields = []

    def kinds(self):
        return [kind for _, _, kind in self.fields]

    def names(self):
        return [name for name, _, _ in self.fields]

    def hidden(self):
        return {name: value for name, value, kind in self.fields if kind == "hidden" and name}


class FormReader(html.parser.HTMLParser):
    """Collects the forms that are sent by POST."""

    def __init__(self):
        super().__init__()
        self.forms = []
        self.open = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and attributes.get("method", "").lower() == "post":
            self.open = Form(attributes.get("action") or "")
            self.forms.append(self.open)
        elif tag in ("input", "button") and self.open is not None:
            kind = attributes.get("type", "text" if tag == "input" else "submit")
            self.open.fields.append((attributes.get("name"), attributes.get("value") or "", kind))

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None


class Page:
    """What came for one request."""

    def __init__(self, url, response):
        self.url = url
        self.status = response.status
        self.body = response.read(MOST_BYTES)
        location = response.headers.get("Location")
        self.location = urllib.parse.urljoin(url, location) if location else None

    def forms(self):
        reader = FormReader()
        reader.feed(self.body.decode("utf-8", "replace"))
        return reader.forms


class AsItCame(urllib.request.HTTPErrorProcessor):
    """No redirect is followed, and no status is an exception."""

    def http_response(self, request, response):
        return response

    https_response = http_response


class Browser:
    """Keeps its cookies; trusts the authority in the file `authority`, and the system's without one."""

    def __init__(self, authority=None):
        trust = ssl.create_default_context(cafile=authority)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust), AsItCame(),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def open(self, url, method="GET", form=None, value=None):
        """One request: with `form` (names and values) or `value` (sent as JSON) as its body, or none."""
        request = urllib.request.Request(url, method=method, headers={"Referer": url})
        if form is not None:
            request.data = urllib.parse.urlencode(form).encode()
        if value is not None:
            request.data = json.dumps(value).encode()
            request.add_header("Content-Type", "application/json")
        with self.opener.open(request, timeout=SECONDS) as response:
            return Page(url, response)

    def submit(self, page, form, answers):
        return self.open(urllib.parse.urljoin(page.url, form.action), "POST", {**form.hidden(), **answers})


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def parameters(url):
    """The query's, each once."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))


def with_parameters(url, **added):
    return url + ("&" if urllib.parse.urlsplit(url).query else "?") + urllib.parse.urlencode(added)
