// SignetAuth signs an application in by one of three services, a session, a JWT or OAuth2, behind one protocol. Tokens that
// live long stand in the vault, behind a finger. Everything here runs in the application's process; signetd is asked for the
// vault alone.
//
// The services are the module SignetTokenServices, which signet-agent has, too. What is here stands on `Security`, and so on all of
// Foundation: the storage in the vault, and the container that puts everything together for an application.
@_exported import SignetTokenServices
