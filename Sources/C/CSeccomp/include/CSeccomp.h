// The system calls that signet-reader may make. In C, because the kernel's macros for such a filter (seccomp(2), BPF_STMT) and
// for the numbers of calls on each processor cannot be imported into Swift. libseccomp would do the same, as one library more to
// load at each start, while a user waits for the reader.
#ifndef SIGNET_CSECCOMP_H
#define SIGNET_CSECCOMP_H

// From here on this process makes only the system calls that a reader needs; all others fail, and do nothing. It cannot be
// undone. No new privileges must have been set before (PR_SET_NO_NEW_PRIVS). Returns 0, or the error number.
int cseccomp_confine_reader(void);

#endif
