// What the prompts of one process share: the terminal's settings, and the handlers of the signals that end or stop the process
// meanwhile. In C, because Swift does not say what a signal handler may do. Not in CLinux: what stands there goes into the PAM
// module, which has no signal handler.
//
// In a program with several threads the kernel gives a signal to any of them, so that blocking it in the thread that asks keeps
// nothing. From the first prompt to the end of the last one there are handlers, which only take note. A signal that the program
// ignores is left alone, and so is a handler that the program sets meanwhile. What came is raised again at the end, when the
// terminal and the handlers are the program's: it decides what becomes of it.
#ifndef CTERMINAL_H
#define CTERMINAL_H

// What was noted of signals.
enum {
  CTERMINAL_NOTHING = 0,
  CTERMINAL_STOP = 1,
  CTERMINAL_END = 2,
};

// One prompt more. Takes the handlers and, in the foreground, the echo. For poll(2): readable once a signal was noted; -1 where
// there can be none, and nothing was changed. Each success needs an end.
int cterminal_begin(int terminal);

// One question more: whole lines that are not shown; what was typed before is thrown away. 0, or -1 where the terminal refuses.
int cterminal_ask(int terminal);

// One question less.
void cterminal_answered(int terminal);

int cterminal_noted(void);

// Puts the terminal in order, lets the program stop, and takes the terminal again. Nothing where another thread has done so.
void cterminal_stop(int terminal);

// One prompt less. After the last one the terminal is as it was, and what was noted of signals happens: the process may end in here.
void cterminal_end(int terminal);

#endif
