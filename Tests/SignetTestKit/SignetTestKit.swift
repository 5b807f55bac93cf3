// SignetTestKit is what the tests of several targets share: virtual readers, synthetic prints, a signetd in a temporary folder
// and one that follows a script, a PAM host. Nothing that is installed depends on it.
