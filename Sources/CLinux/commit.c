#include "CLinux.h"

// Set by `make release`.
#ifndef JOBRUN_COMMIT
#define JOBRUN_COMMIT ""
#endif

const char *clinux_commit(void) { return JOBRUN_COMMIT; }
