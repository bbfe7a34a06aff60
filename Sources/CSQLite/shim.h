#ifndef JOBRUN_CSQLITE_H
#define JOBRUN_CSQLITE_H

#include <errno.h>
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import: these two bind
   bytes that SQLite copies at once. */

static inline int jobrun_bind_text(sqlite3_stmt *statement, int index, const void *bytes,
                                   sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

static inline int jobrun_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                   sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Why the last system call of this thread failed, which sqlite3_system_errno does not tell of a write to
   the log at a commit. It means something right after SQLITE_IOERR only. */
static inline int jobrun_errno(void) { return errno; }

/// What is there after the next call was left by that.
static inline void jobrun_clear_errno(void) { errno = 0; }

#endif
