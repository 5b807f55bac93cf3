// Nothing to call: linking mutex.c is all.
