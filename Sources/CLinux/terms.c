#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The code below also runs between vfork and exec: it allocates nothing, and calls only what is
// async-signal-safe.

enum { limits = 16, largest_machine = 8192 };

static int write_score(int64_t score) {
  char text[24], *cursor = text + sizeof text;
  int64_t rest = score < 0 ? -score : score;
  do *--cursor = '0' + rest % 10;
  while (rest /= 10);
  if (score < 0) *--cursor = '-';
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  ssize_t written = write(file, cursor, text + sizeof text - cursor);
  close(file);
  return written < 0 ? -errno : 0;
}

static int64_t read_score(void) {
  char text[24] = "";
  int file = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  int64_t value = 0;
  for (ssize_t i = text[0] == '-'; i < length && text[i] >= '0' && text[i] <= '9'; i++)
    value = value * 10 + (text[i] - '0');
  return text[0] == '-' ? -value : value;
}

int clinux_terms(uint64_t *words, int capacity) {
  if (capacity < CLINUX_TERMS_FIXED + largest_machine / 64) return -EINVAL;
  for (int i = 0; i < limits; i++) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(i, &limit);
    words[2 * i] = limit.rlim_cur;
    words[2 * i + 1] = limit.rlim_max;
  }
  struct sched_param parameter = {0};
  int policy = sched_getscheduler(0);
  sched_getparam(0, &parameter);
  long io = syscall(SYS_ioprio_get, 1, 0);
  int persona = personality(0xffffffff);
  words[CLINUX_TERMS_NICE] = (uint64_t)(int64_t)getpriority(PRIO_PROCESS, 0);
  words[CLINUX_TERMS_POLICY] = policy < 0 ? 0 : (uint64_t)policy;
  words[CLINUX_TERMS_PRIORITY] = (uint64_t)parameter.sched_priority;
  words[CLINUX_TERMS_IO] = io < 0 ? 0 : (uint64_t)io;
  words[CLINUX_TERMS_SCORE] = (uint64_t)read_score();
  words[CLINUX_TERMS_PERSONALITY] = persona < 0 ? 0 : (uint64_t)persona;
  words[CLINUX_TERMS_PRIVILEGES] = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  uint64_t *mask = words + CLINUX_TERMS_FIXED;
  long size = syscall(SYS_sched_getaffinity, 0, largest_machine / 8, mask);
  int count = size < 0 ? 0 : (int)((size + 7) / 8);
  while (count > 0 && mask[count - 1] == 0) count--;
  return CLINUX_TERMS_FIXED + count;
}

void clinux_take_terms(const uint64_t *words, int count) {
  int policy = (int)words[CLINUX_TERMS_POLICY];
  struct sched_param parameter = {.sched_priority = (int)words[CLINUX_TERMS_PRIORITY]};
  // A deadline policy (6) belongs to one process and is not passed on.
  if (policy >= 0 && policy < 6 && policy != sched_getscheduler(0))
    sched_setscheduler(0, policy, &parameter);
  setpriority(PRIO_PROCESS, 0, (int)(int64_t)words[CLINUX_TERMS_NICE]);
  syscall(SYS_ioprio_set, 1, 0, (int)words[CLINUX_TERMS_IO]);
  if ((uint64_t)read_score() != words[CLINUX_TERMS_SCORE])
    write_score((int64_t)words[CLINUX_TERMS_SCORE]);
  if (words[CLINUX_TERMS_PERSONALITY] != (uint64_t)personality(0xffffffff))
    personality((unsigned long)words[CLINUX_TERMS_PERSONALITY]);
  if (words[CLINUX_TERMS_PRIVILEGES] == 1) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  int processors = count - CLINUX_TERMS_FIXED;
  uint64_t own[largest_machine / 64] = {0};
  syscall(SYS_sched_getaffinity, 0, sizeof own, own);
  const uint64_t *mask = words + CLINUX_TERMS_FIXED;
  if (processors > 0 && processors <= largest_machine / 64 &&
      memcmp(own, mask, processors * sizeof *mask) != 0)
    syscall(SYS_sched_setaffinity, 0, processors * sizeof *mask, mask);
}

void clinux_take_limits(const uint64_t *words) {
  for (int i = 0; i < limits; i++) {
    struct rlimit own, wanted = {words[2 * i], words[2 * i + 1]};
    if (getrlimit(i, &own) < 0 ||
        (own.rlim_cur == wanted.rlim_cur && own.rlim_max == wanted.rlim_max))
      continue;
    if (setrlimit(i, &wanted) == 0) continue;
    // Limited to what this process may have itself.
    if (wanted.rlim_max > own.rlim_max) wanted.rlim_max = own.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
    setrlimit(i, &wanted);
  }
}

void clinux_reset_terms(void) {
  for (int i = 0; i < limits; i++) {
    struct rlimit own;
    if (getrlimit(i, &own) < 0) continue;
    struct rlimit wanted = {own.rlim_max, own.rlim_max};
    switch (i) {
    // Values above the default do harm here: programs allocate space for the maximum.
    case RLIMIT_NOFILE:
    case RLIMIT_CORE: continue;
    case RLIMIT_STACK:
      if (own.rlim_cur >= 8 << 20) continue;
      wanted.rlim_cur = wanted.rlim_max < 8 << 20 ? wanted.rlim_max : 8 << 20;
      break;
    case RLIMIT_CPU:
    case RLIMIT_FSIZE:
    case RLIMIT_DATA:
    case RLIMIT_AS: {
      struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
      if (setrlimit(i, &none) == 0) continue;  // needs privileges
    }
    }
    setrlimit(i, &wanted);
  }
  struct sched_param usual = {0};
  sched_setscheduler(0, SCHED_OTHER, &usual);
  setpriority(PRIO_PROCESS, 0, 0);
  syscall(SYS_ioprio_set, 1, 0, 0);
  write_score(0);
  personality(PER_LINUX);
  // The kernel ignores processors that do not exist or that a cpuset excludes.
  uint64_t all[largest_machine / 64];
  memset(all, 0xff, sizeof all);
  syscall(SYS_sched_setaffinity, 0, sizeof all, all);
}

void clinux_give_way(pid_t thread, int gives_way) {
  int policy = sched_getscheduler(thread);
  // Who asked for real time, or for the least there is, keeps it.
  if (policy != SCHED_OTHER && policy != SCHED_BATCH) return;
  struct sched_param usual = {0};
  sched_setscheduler(thread, gives_way ? SCHED_BATCH : SCHED_OTHER, &usual);
  // ioprio_set(2): idle (3), or as its nice value has it (0).
  syscall(SYS_ioprio_set, 1, thread, gives_way ? 3 << 13 : 0);
}
