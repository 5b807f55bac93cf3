#define _GNU_SOURCE 1
#include "CEnvironment.h"

#include <stdlib.h>
#include <unistd.h>

char *cenvironment_secure(const char *name) { return secure_getenv(name); }

char **cenvironment_all(void) { return environ; }
