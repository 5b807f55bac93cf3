// A program that this is linked into wipes what it frees: no copy of a token is left behind in memory that nobody uses any more, whoever
// made it. Such copies are made by what a token goes through on its way: texts, JSON, buffers of connections, TLS.
//
// Nothing is called by name. Only what nobody waits for gets it.
#ifndef SIGNET_CWIPEDHEAP_H
#define SIGNET_CWIPEDHEAP_H
#endif
