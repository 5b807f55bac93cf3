// SignetJWT makes and verifies signed tokens (JWS, RFC 7515; JWT, RFC 7519) offline, by keys that the caller has. A profile says
// what one kind of token must be: RFC 9068's access token, OpenID Connect's ID token, RFC 9449's proof. Nothing here opens a
// socket, reads a clock or keeps a state, and the cryptography is that of the system's libcrypto.
@_exported import SignetJSON
