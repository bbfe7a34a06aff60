#pragma once

// The Glibc module for Embedded Swift, whose toolchain has none: the C library's headers, and shims for
// what Swift imports in another shape. Sources/LinuxSystem/Embedded.swift gives those the names of the
// ordinary build.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// A cast, which Swift does not import.
#undef MAP_FAILED
static void *const MAP_FAILED = (void *)-1;

static inline int embedded_errno(void) { return errno; }
static inline char **embedded_environment(void) { return environ; }
static inline int embedded_fcntl(int descriptor, int command, int argument) {
  return fcntl(descriptor, command, argument);
}
static inline int embedded_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

// embedded.c
int embedded_argument_count(void);
char **embedded_arguments(void);
