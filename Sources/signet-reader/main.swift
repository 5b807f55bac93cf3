// signet-reader
