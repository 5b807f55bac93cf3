// SignetDaemon
