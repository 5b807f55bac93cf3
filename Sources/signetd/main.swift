// signetd
