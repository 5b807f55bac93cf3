// signet
