// SignetAuth signs an application in by one of three services, a session, a JWT or OAuth2, behind one protocol. Tokens that
// live long stand in the vault, behind a finger. Everything here runs in the application's process; signetd is asked for the
// vault alone.
//
// `Network` sends requests, `Storage` keeps tokens, `Tokens` is what JWT and OAuth2 have in common, and each service has its
// folder. `Container` puts them together.
