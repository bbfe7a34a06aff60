#include "CLinux.h"

// `make release` says which commit it builds.
#ifndef JOBRUN_COMMIT
#define JOBRUN_COMMIT ""
#endif

const char *clinux_commit(void) { return JOBRUN_COMMIT; }
