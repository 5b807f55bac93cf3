// SignetTokens
