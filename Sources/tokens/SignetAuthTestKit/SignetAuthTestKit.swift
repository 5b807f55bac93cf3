// SignetAuthTestKit has doubles in memory for tests of applications that use SignetAuth: a clock that stands still, a
// storage, a network that answers from a script, an issuer. They are strict: what nobody expected fails.
@_exported import SignetAuth
