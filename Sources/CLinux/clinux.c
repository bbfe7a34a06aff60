#define _GNU_SOURCE
#include "CLinux.h"
#include "musl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

static struct timespec span(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return time;
}

const char *clinux_error_text(int number) {
#ifdef __GLIBC__
  const char *text = strerrordesc_np(number);
  return text ? text : "unknown error";
#else
  return strerror(number);  // musl's strings are constants, in English unless setlocale(3) is called
#endif
}

// MARK: Waiting

static uint32_t to_epoll(uint32_t flags) {
  return (flags & CLINUX_READABLE ? EPOLLIN | EPOLLRDHUP : 0) |
         (flags & CLINUX_WRITABLE ? EPOLLOUT : 0) | (flags & CLINUX_PRIORITY ? EPOLLPRI : 0);
}

static uint32_t from_epoll(uint32_t events) {
  return (events & EPOLLIN ? CLINUX_READABLE : 0) | (events & EPOLLOUT ? CLINUX_WRITABLE : 0) |
         (events & EPOLLPRI ? CLINUX_PRIORITY : 0) |
         (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR) ? CLINUX_HANGUP : 0);
}

int clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int epoll_change(int epoll, int operation, int descriptor, uint32_t flags, uint64_t token) {
  struct epoll_event event = {.events = to_epoll(flags), .data.u64 = token};
  return result(epoll_ctl(epoll, operation, descriptor, &event));
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t flags, uint64_t token) {
  return epoll_change(epoll, EPOLL_CTL_ADD, descriptor, flags, token);
}

int clinux_epoll_modify(int epoll, int descriptor, uint32_t flags, uint64_t token) {
  return epoll_change(epoll, EPOLL_CTL_MOD, descriptor, flags, token);
}

int clinux_epoll_remove(int epoll, int descriptor) {
  return epoll_change(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int64_t nanoseconds) {
  struct epoll_event raw[256];
  struct timespec time = span(nanoseconds < 0 ? 0 : nanoseconds);
  if (capacity > 256) capacity = 256;
  int count = epoll_pwait2(epoll, raw, capacity, nanoseconds < 0 ? NULL : &time, NULL);
  if (count < 0 && errno == ENOSYS) {  // before Linux 5.11: whole milliseconds, never early
    int64_t milliseconds = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
    count = epoll_wait(epoll, raw, capacity, milliseconds > 86400000 ? 86400000 : (int)milliseconds);
  }
  for (int index = 0; index < count; index++) {
    events[index].token = raw[index].data.u64;
    events[index].flags = from_epoll(raw[index].events);
  }
  return result(count);
}

int clinux_poll(const int *descriptors, uint32_t *flags, int count, int64_t nanoseconds) {
  struct pollfd raw[16];
  struct timespec time = span(nanoseconds < 0 ? 0 : nanoseconds);
  if (count > 16) return -EINVAL;
  for (int index = 0; index < count; index++) {
    raw[index].fd = descriptors[index];
    raw[index].events = (flags[index] & CLINUX_READABLE ? POLLIN : 0) |
                        (flags[index] & CLINUX_WRITABLE ? POLLOUT : 0);
    raw[index].revents = 0;
  }
  int ready = ppoll(raw, count, nanoseconds < 0 ? NULL : &time, NULL);
  if (ready < 0) return -errno;
  for (int index = 0; index < count; index++) {
    short there = raw[index].revents;
    flags[index] = (there & POLLIN ? CLINUX_READABLE : 0) | (there & POLLOUT ? CLINUX_WRITABLE : 0) |
                   (there & (POLLHUP | POLLERR | POLLNVAL) ? CLINUX_HANGUP : 0);
  }
  return ready;
}

// MARK: The civil clock

int clinux_wall_alarm(void) {
  return result(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
}

int clinux_wall_alarm_set(int alarm, int64_t milliseconds) {
  // In seconds, as nanoseconds would end in the year 2262.
  struct itimerspec when = {
      .it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000}};
  return result(
      timerfd_settime(alarm, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL));
}

void clinux_wall_alarm_take(int alarm) {
  uint64_t rings;
  ssize_t got = read(alarm, &rings, sizeof rings);  // ECANCELED: the clock was set; counts as a ring
  (void)got;
}

/// The offset of local time from UTC at a time, in seconds.
static int64_t offset_at(int64_t second) {
  time_t time = second;
  struct tm parts;
  localtime_r(&time, &parts);
  return parts.tm_gmtoff;
}

int64_t clinux_next_clock(int64_t now, int hour, int minute) {
  time_t second = now;
  struct tm today;
  localtime_r(&second, &today);
  for (int day = 0; day < 4; day++) {
    struct tm parts = {.tm_year = today.tm_year, .tm_mon = today.tm_mon,
                       .tm_mday = today.tm_mday + day, .tm_hour = hour, .tm_min = minute};
    // As if the clock showed UTC; a change of the offset, if any, is less than a day away.
    int64_t wall = timegm(&parts);
    int64_t one = wall - offset_at(wall - 86400), other = wall - offset_at(wall + 86400);
    int64_t first = one < other ? one : other, last = one < other ? other : one;
    int shows_first = first + offset_at(first) == wall, shows_last = last + offset_at(last) == wall;
    if (shows_first && first > now) return first;
    if (shows_last && last > now) return last;  // the clock was put back and shows it once more
    if (shows_first || shows_last) continue;
    // The clock was put forward and never shows it: the moment of the change.
    int64_t after = offset_at(last);
    while (first < last) {
      int64_t middle = first + (last - first) / 2;
      if (offset_at(middle) == after) last = middle;
      else first = middle + 1;
    }
    if (last > now) return last;
  }
  return now + 86400;
}

int64_t clinux_local_shown(int64_t second) {
  time_t time = second;
  struct tm parts;
  tzset();
  localtime_r(&time, &parts);
  return timegm(&parts);
}

int64_t clinux_local_time(int64_t shown) {
  time_t wanted = shown, found = -1;
  tzset();
  // With and without summer time: in autumn both are right, and the first of them is meant.
  for (int summer = 1; summer >= 0; summer--) {
    struct tm parts;
    gmtime_r(&wanted, &parts);
    parts.tm_isdst = summer;
    time_t candidate = mktime(&parts);
    if (clinux_local_shown(candidate) != shown) continue;
    if (found == -1 || candidate < found) found = candidate;
  }
  if (found != -1) return found;
  struct tm parts;
  gmtime_r(&wanted, &parts);
  parts.tm_isdst = -1;
  return mktime(&parts);
}

void clinux_local_reading(int64_t second, clinux_reading *reading) {
  time_t time = second;
  struct tm parts = {0};
  localtime_r(&time, &parts);
  *reading = (clinux_reading){parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                              parts.tm_min, parts.tm_sec, parts.tm_wday};
}

int64_t clinux_local_second(int year, int month, int day, int hour, int minute) {
  struct tm parts = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day,
                     .tm_hour = hour, .tm_min = minute, .tm_isdst = -1};
  return mktime(&parts);
}

// MARK: Signals

static sigset_t set_of(uint64_t signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int number = 1; number <= 64; number++)
    if (signals >> (number - 1) & 1) sigaddset(&set, number);
  return set;
}

int clinux_signal_descriptor(uint64_t signals) {
  sigset_t set = set_of(signals);
  return result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_signal_mask(int how, uint64_t signals, uint64_t *previous) {
  sigset_t set = set_of(signals), old;
  int operation = how == 0 ? SIG_BLOCK : how == 1 ? SIG_UNBLOCK : SIG_SETMASK;
  int problem = pthread_sigmask(operation, &set, &old);
  if (problem) return -problem;
  if (previous) {
    *previous = 0;
    for (int number = 1; number <= 64; number++)
      if (sigismember(&old, number) == 1) *previous |= (uint64_t)1 << (number - 1);
  }
  return 0;
}

int clinux_signal_ignore(int number) {
  return signal(number, SIG_IGN) == SIG_ERR ? -errno : 0;
}

int clinux_signal_take(int descriptor, int32_t *sender) {
  struct signalfd_siginfo info;
  ssize_t count = read(descriptor, &info, sizeof info);
  if (count < 0) return -errno;
  if (count != sizeof info) return -EIO;
  if (sender) *sender = (int32_t)info.ssi_pid;
  return (int)info.ssi_signo;
}

// MARK: Memory and descriptors

int clinux_memory_file(const char *name) {
  return result(memfd_create(name, MFD_CLOEXEC));
}

int clinux_event_descriptor(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_pipe(int ends[2]) { return result(pipe2(ends, O_CLOEXEC)); }

int clinux_random(void *bytes, size_t count) {
  char *cursor = bytes;
  while (count > 0) {
    ssize_t got = getrandom(cursor, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    cursor += got;
    count -= got;
  }
  return 0;
}

// The words lie in shared mappings, which FUTEX_PRIVATE_FLAG does not support.
int clinux_futex_wait(const uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  struct timespec time = span(nanoseconds < 0 ? 0 : nanoseconds);
  return result(syscall(SYS_futex, word, FUTEX_WAIT, expected, nanoseconds < 0 ? NULL : &time,
                        NULL, 0));
}

int clinux_futex_wake(const uint32_t *word) {
  return result(syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0));
}

// MARK: Dynamic libraries

void *clinux_library_open(const char *name, const char **problem) {
  void *library = dlopen(name, RTLD_NOW);
  if (!library) *problem = dlerror();
  return library;
}

void *clinux_library_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

void clinux_library_close(void *library) {
  dlclose(library);
}

void clinux_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
