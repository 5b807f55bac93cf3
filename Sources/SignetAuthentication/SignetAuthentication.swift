// SignetAuthentication
