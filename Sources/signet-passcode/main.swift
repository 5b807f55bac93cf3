// signet-passcode
