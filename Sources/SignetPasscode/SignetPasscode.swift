// SignetPasscode
