#pragma once

// System calls that glibc declares and musl does not, for a release built on musl (`make release MUSL=1`).

#ifndef __GLIBC__
#include <linux/stat.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int statx(int folder, const char *path, int flags, unsigned wanted,
                        struct statx *status) {
  return (int)syscall(SYS_statx, folder, path, flags, wanted, status);
}

static inline int epoll_pwait2(int epoll, struct epoll_event *events, int capacity,
                               const struct timespec *time, const sigset_t *signals) {
  return (int)syscall(SYS_epoll_pwait2, epoll, events, capacity, time, signals, _NSIG / 8);
}
#endif
