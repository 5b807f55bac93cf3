// SignetTokenServices is SignetAuth without what needs Foundation: see Application/SignetAuth.swift.
//
// `Network` sends requests, `Storage` keeps tokens, `Tokens` is what JWT and OAuth2 have in common, and each service has its
// folder. `Container` makes the services.
