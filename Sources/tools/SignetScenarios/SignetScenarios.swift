// SignetScenarios is what a fingerprint reader has to stand, written once: scenarios, who does the touching and the unplugging
// (a `Hand`), and what came of it. It asks signetd as any program does, so that the same scenarios run on libfprint's virtual
// readers, on recorded ones, on emulated ones in a virtual machine, and by a person with a reader on the desk.
