/* The protocol by which signetd charges strikes, for spin (spinroot.com), which tries every order of its steps.
 *
 * Two logins of one user, one station that has all readers, a reader that may judge at any time, and what happens to them: signetd is
 * killed at any step, a reader is pulled out, root locks the user, puts another record on the disk, or loses it. A comment at a step
 * names the code that it stands for.
 *
 * Promised: no more than LIMIT looks at fingers that do not match, until the passcode or a match; and no strike for a cancel without a
 * finger. FAULT plants one fault, at the places with its number. What `tell` prints is what ProtocolTests has the real account do, and
 * how many strikes it must have then.
 */
#ifndef LIMIT
#define LIMIT 5         /* LockoutLimits.strikes */
#endif
#ifndef MISSES
#define MISSES 3        /* LockoutLimits.missesPerEvaluation */
#endif
#ifndef POOR
#define POOR 2          /* LockoutLimits.poorScansPerEvaluation, which is 10 */
#endif
#ifndef FAULT
#define FAULT 0
#endif
/* With REST a run by chance has so many steps of the logins' between two of what happens to them. */
#ifdef REST
#define rest :: pause < REST -> pause++
#define rested pause >= REST
#else
#define rest
#define rested true
#endif

mtype = { charge, refuse, keep, giveBack, match, passcode, crash, request, lose, replace };

/* The record on the disk (LockoutFile). One that is torn, gone, or older than the one that was seen last is lost. */
byte diskStrikes, diskPoor;
bool isDiskLost;

/* signetd's memory (Strikes, Lockout). `isRequested` is on the disk as soon as it is there. */
byte misses, poorScans;
bool isCharged, isLost, isRequested;

/* Whose readers are armed, or are being closed after a cancel (ReaderStation). */
byte holder;

/* Of each login: whether signetd was killed under it; whether the reader saw a finger since it was armed last; its Evaluation. */
bool isDead[3], sawFinger[3];
byte evaluationMisses[3], evaluationPoor[3];

/* Looks at fingers that did not match. No part of Signet knows it. */
byte looks;

#define charged (isCharged -> 1 : 0)
#define locks (isLost || misses >= LIMIT || isRequested)
#define lives (!isDead[id])

inline tell(event, number) { printf("step %e %d %d\n", event, number, (isLost -> LIMIT : misses + charged)) }

/* AccountStore.write: the whole record, in place of the one before. */
inline write() { diskStrikes = (isLost -> LIMIT : misses + charged); diskPoor = poorScans; isDiskLost = false }

/* Account.refresh: a record that cannot be believed locks; of two that can be the higher count holds, with the scan that is under way. */
inline refresh() {
  if
  :: isDiskLost -> isLost = true
  :: !isDiskLost && isLost -> isLost = false; misses = diskStrikes
  :: !isDiskLost && !isLost && diskStrikes > misses + charged -> misses = diskStrikes - charged
  :: FAULT == 4 && !isDiskLost && !isLost && diskStrikes < misses + charged -> misses = diskStrikes
  :: else
  fi
}

/* A finger that does not match is compared, whether or not signetd comes to know of it. */
inline look() { looks++; assert(looks <= LIMIT) }

/* ChargedStrike.keep, and one that is dropped: the charge is on the disk already. Where the record is lost there is nothing to count. */
inline keepStrike() {
  isCharged = false;
  if :: !isLost && misses <= LIMIT -> misses++ :: else fi;
  poorScans = 0;
  evaluationPoor[id] = 0;
  tell(keep, 0)
}

/* signetd is killed, and there again with what the disk has. */
inline die() {
  misses = diskStrikes; poorScans = diskPoor; isLost = isDiskLost; isCharged = false;
  if :: FAULT == 7 && isLost -> isLost = false; misses = 0; write() :: else fi;
  holder = 0;
  isDead[1] = true; evaluationMisses[1] = 0; evaluationPoor[1] = 0; sawFinger[1] = false;
  isDead[2] = true; evaluationMisses[2] = 0; evaluationPoor[2] = 0; sawFinger[2] = false;
  tell(crash, 0)
}

proctype login(byte id) {
begin:
  atomic { isDead[id] = false; evaluationMisses[id] = 0; evaluationPoor[id] = poorScans; sawFinger[id] = false };
scan: /* Scan.claim */
  if
  :: atomic { lives && holder == 0 -> holder = id }
  :: !lives -> goto begin
  fi;
  if /* Account.charge: on the disk before the reader is armed */
  :: atomic { lives ->
       refresh();
       if
       :: locks || isCharged -> tell(refuse, 0); holder = 0; goto dialog
       :: else -> isCharged = true; if :: FAULT == 1 :: else -> write() fi; tell(charge, 0)
       fi }
  :: !lives -> goto begin
  fi;
armed: /* Scan.awaitResult: the finger, the user, the cable and the clock in any order */
  do
  :: d_step { lives && !sawFinger[id] -> sawFinger[id] = true }
  :: atomic { lives -> look(); goto missed }
  :: atomic { lives -> sawFinger[id] = false; evaluationPoor[id]++;                  /* Evaluation.poorScan: armed again, or at its end */
       if :: evaluationPoor[id] >= POOR -> goto kept :: else fi }
  :: atomic { lives -> goto cancelled }
  :: atomic { lives -> if :: sawFinger[id] -> look() :: true fi; goto pulled }       /* a verdict is lost on its way, if there was one */
  :: atomic { lives -> goto matched }
  :: atomic { !lives -> goto begin }
  od;
missed: /* SharedScan: the first verdict is the scan's. What a second reader says after it is told to nobody, and opens nothing. */
  if
  :: atomic { lives ->
       if :: FAULT == 6 -> look() :: else fi;
       keepStrike(); evaluationMisses[id]++; sawFinger[id] = false; holder = 0;
       if :: !locks && evaluationMisses[id] < MISSES -> goto scan :: else -> goto dialog fi }
  :: !lives -> goto begin
  fi;
cancelled: /* CancelledScan: the client has its answer; the reader ends later, and may judge a finger until then */
  do
  :: d_step { lives && !sawFinger[id] -> sawFinger[id] = true }
  :: atomic { lives -> look(); goto kept }
  :: atomic { lives && !sawFinger[id] -> if :: FAULT == 8 -> assert(sawFinger[id]); goto kept :: else -> goto given fi }
  :: atomic { lives && sawFinger[id] -> look(); if :: FAULT == 2 -> goto given :: else -> goto kept fi }     /* silence tells a miss */
  :: atomic { !lives -> goto begin }
  od;
given: /* ChargedStrike.giveBack; of a record that was lost meanwhile nothing is given back */
  if
  :: d_step { lives -> isCharged = false; if :: !isLost -> poorScans = evaluationPoor[id]; write() :: else fi; tell(giveBack, poorScans);
       holder = 0 }
  :: !lives -> goto begin
  fi;
  goto dialog;
pulled: /* AwayReader */
  if
  :: FAULT == 3 && lives -> goto given
  :: else
  fi;
kept:
  if
  :: d_step { lives -> keepStrike(); holder = 0 }
  :: !lives -> goto begin
  fi;
  goto dialog;
matched: /* Account.settle(.match): told first, then written, both under the account's lock. Killed between them, the strikes stay. */
  if
  :: d_step { lives && (!locks || FAULT == 5) -> assert(!locks);
       looks = 0; isCharged = false; misses = 0; poorScans = 0; write(); tell(match, 0); holder = 0 }
  :: d_step { lives && !locks -> looks = 0; die() }
  :: atomic { lives && locks && FAULT != 5 -> goto kept }
  :: !lives
  fi;
  goto begin;
dialog: /* PasscodeDialog: the question stands, and a reader that comes back is armed beside it (Evaluation.readerReturned) */
  if
  :: atomic { lives && evaluationMisses[id] < MISSES -> sawFinger[id] = false; goto scan }
  :: d_step { lives -> looks = 0; misses = 0; poorScans = 0; isRequested = false; isLost = false; write(); tell(passcode, 0) }
  :: true
  fi;
  goto begin
}

proctype killer() {
  byte pause;
  do
  rest
  :: d_step { rested -> pause = 0; die() }
  od
}

/* What root does: `signet lock`; a record that is gone or cut; and one with another count that passes for newer, which signetd sees and
 * writes anew before it is killed. Another order of that is root's own way to clear strikes. */
proctype root() {
  byte pause;
  do
  rest
  :: d_step { rested -> pause = 0; refresh(); isRequested = true; write(); tell(request, 0) }
  :: d_step { rested -> pause = 0; isDiskLost = true; tell(lose, 0) }
  :: d_step { rested && !isDiskLost && !isLost -> pause = 0; diskStrikes = 0; refresh(); write(); tell(replace, 0) }
  :: d_step { rested && !isDiskLost && !isLost -> pause = 0; diskStrikes = 3; refresh(); write(); tell(replace, 3) }
  od
}

init { atomic { run login(1); run login(2); run killer(); run root() } }
