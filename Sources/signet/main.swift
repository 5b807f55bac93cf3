import SignetCommandLine

SignetCommandLine.main()
