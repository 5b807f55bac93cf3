// SignetTestKit is what the tests of several targets share: scripted and virtual readers, synthetic prints, a daemon in a
// temporary directory, a PAM host. Nothing that is installed depends on it.
