#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

const char *const clinux_entering_group = "begin in a control group";

int clinux_pidfd_open(pid_t pid) { return result(syscall(SYS_pidfd_open, pid, 0)); }

int clinux_pidfd_signal(int pidfd, int number) {
  return result(syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0));
}

int clinux_kill(pid_t pid, int number) { return result(kill(pid, number)); }

int clinux_child_subreaper(void) { return result(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)); }

int clinux_hide_memory(void) { return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

static char suspect[256];
static volatile size_t suspect_length;
static int trap_descriptor = -1;

void clinux_set_suspect(const char *name, size_t length) {
  suspect_length = 0;
  if (length > sizeof suspect) length = sizeof suspect;
  if (length > 0) memcpy(suspect, name, length);
  suspect_length = length;
}

// The instruction traps again once this returns, and then ends the process (SA_RESETHAND).
static void tell_trap(int number) {
  (void)number;
  int before = errno;
  if (suspect_length > 0 && write(trap_descriptor, suspect, suspect_length) < 0) errno = before;
}

int clinux_tell_traps(int descriptor) {
  // An overflowed stack has no space for a handler.
  static char room[64 * 1024];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  if (sigaltstack(&stack, NULL) < 0) return -errno;
  trap_descriptor = descriptor;
  struct sigaction action = {.sa_handler = tell_trap, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  static const int traps[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
    if (sigaction(traps[i], &action, NULL) < 0) return -errno;
  }
  return 0;
}

int clinux_session(void) { return result(setsid()); }

int clinux_fork_sibling(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return -ENOSYS;
#endif
#endif
  // The C library's fork has no such flag; its additional work is for programs with threads.
  return result(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, 0));
}

int clinux_stopped_child(void) {
  siginfo_t info = {0};
  if (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) < 0) return 0;
  return info.si_pid;
}

int clinux_wait(pid_t pid, int block, struct clinux_exit *end) {
  struct rusage use;
  int status;
  pid_t reaped;
  do reaped = wait4(pid, &status, __WALL | (block ? 0 : WNOHANG), &use);
  while (reaped < 0 && errno == EINTR);
  if (reaped <= 0) return result(reaped);
  end->pid = reaped;
  end->exited = WIFEXITED(status);
  end->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  end->cpu_microseconds = (int64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 +
                          use.ru_utime.tv_usec + use.ru_stime.tv_usec;
  end->resident_bytes = (int64_t)use.ru_maxrss * 1024;
  // In blocks of 512 bytes on every disk (task_io_get_inblock in the kernel).
  end->read_bytes = (int64_t)use.ru_inblock * 512;
  end->written_bytes = (int64_t)use.ru_oublock * 512;
  return reaped;
}

static struct rlimit descriptors_before;
static int descriptors_raised;

int clinux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  if (descriptors_raised || limit.rlim_cur >= limit.rlim_max) return 0;
  descriptors_before = limit;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  descriptors_raised = 1;
  return 0;
}

int64_t clinux_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

// MARK: Spawning
//
// Between vfork and exec the child runs on its parent's memory: it allocates nothing, calls only
// what is async-signal-safe, and reports a failure by writing into its parent's structure.

static size_t append_number(char *buffer, uint64_t value) {
  char digits[20];
  size_t count = 0, length = 0;
  do digits[count++] = '0' + value % 10;
  while (value /= 10);
  while (count) buffer[length++] = digits[--count];
  return length;
}

/// Field 22 of /proc/self/stat (proc_pid_stat(5)): ticks after boot; 0 when it cannot be read.
static uint64_t start_time(void) {
  char text[1024];
  int descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, text, sizeof text - 1);
  if (descriptor >= 0) close(descriptor);
  if (length <= 0) return 0;
  text[length] = 0;
  char *cursor = strrchr(text, ')');  // the name before it may hold blanks and parentheses
  for (int field = 2; cursor && field < 22; field++) cursor = strchr(cursor + 1, ' ');
  if (!cursor) return 0;
  uint64_t value = 0;
  for (cursor++; *cursor >= '0' && *cursor <= '9'; cursor++) value = value * 10 + (*cursor - '0');
  return value;
}

static int announce(const struct clinux_spawn *spawn) {
  char line[512];
  size_t prefix = strlen(spawn->announce_prefix), suffix = strlen(spawn->announce_suffix);
  if (prefix + suffix > sizeof line - 64) return -1;
  memcpy(line, spawn->announce_prefix, prefix);
  size_t length = prefix + append_number(line + prefix, getpid());
  line[length++] = ' ';
  length += append_number(line + length, start_time());
  memcpy(line + length, spawn->announce_suffix, suffix);
  length += suffix;
  // The first one is durable: without it nothing may start. The second one is informed only.
  ssize_t written = write(spawn->announce_to[0], line, length);
  if (written != (ssize_t)length) {
    if (written >= 0) errno = ENOSPC;  // the disk took a part
    return -1;
  }
  if (spawn->announce_to[1] >= 0 && write(spawn->announce_to[1], line, length) < 0)
    // No reader: the pending SIGPIPE must not reach the program.
    signal(SIGPIPE, SIG_IGN);
  return 0;
}

static int place_descriptors(const struct clinux_spawn *spawn) {
  int32_t copies[16];
  if (spawn->descriptors > 16) {
    errno = EINVAL;
    return -1;
  }
  int32_t above = 3;
  for (int index = 0; index < spawn->descriptors; index++)
    if (spawn->targets[index] >= above) above = spawn->targets[index] + 1;
  for (int index = 0; index < spawn->descriptors; index++)
    if ((copies[index] = fcntl(spawn->sources[index], F_DUPFD_CLOEXEC, above)) < 0) return -1;
  if (syscall(SYS_close_range, 3, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) < 0)
    for (int descriptor = 3; descriptor < 65536; descriptor++)  // before Linux 5.11
      fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  for (int index = 0; index < spawn->descriptors; index++)
    if (dup2(copies[index], spawn->targets[index]) < 0) return -1;
  return 0;
}

static void default_dispositions(void) {
  // The kernel's own call, whose all-zero action is SIG_DFL everywhere: glibc's refuses its internal
  // signals 32 and 33, which a parent may have left ignored.
  static const char standard[64];
  for (int number = 1; number <= 64; number++)
    syscall(SYS_rt_sigaction, number, standard, NULL, sizeof(uint64_t));
}

/// execve(2) with retries for a program that has just been written: a child that another thread of the
/// writer started at that moment holds it open for writing until it executes something itself.
static void execute_patiently(const char *path, char *const *arguments, char *const *environment) {
  const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
  for (int tries = 0; tries < 500; tries++) {
    execve(path, arguments, environment);
    if (errno != ETXTBSY) return;
    nanosleep(&pause, NULL);
    errno = ETXTBSY;
  }
}

/// Whether a file that the kernel does not execute may be a script: no NUL is in the beginning of its first line.
static int may_be_script(const char *path) {
  char start[128];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, start, sizeof start);
  close(file);
  for (ssize_t index = 0; index < count && start[index] != '\n'; index++)
    if (start[index] == 0) return 0;
  return count >= 0;
}

static void execute(struct clinux_spawn *spawn) {
  int problem = ENOENT;
  for (const char *const *path = spawn->executables; *path; path++) {
    execute_patiently(
        *path, (char *const *)spawn->arguments, (char *const *)spawn->environment);
    if (errno == ENOEXEC && spawn->shell_arguments) {  // a script without #!, as execvp(3) does
      if (may_be_script(*path)) {
        spawn->shell_arguments[0] = "/bin/sh";
        spawn->shell_arguments[1] = *path;
        execve("/bin/sh", (char *const *)spawn->shell_arguments, (char *const *)spawn->environment);
      } else {
        errno = ENOEXEC;
      }
    }
    if (errno == EACCES || (errno != ENOENT && errno != ENOTDIR)) problem = errno;
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) break;
  }
  errno = problem;
}

/// Lowers the processor and disk priority, never raises it; refusals of the kernel are ignored. Where the
/// kernel divides the processor among sessions (sched(7), autogroup), the session's niceness is lowered as
/// well.
static void give_way(int least) {
  errno = 0;
  int nice = getpriority(PRIO_PROCESS, 0);
  if (nice < least && errno == 0) setpriority(PRIO_PROCESS, 0, least);
  // ioprio_set(2): the process itself; best effort (2), the last level. Not idle (3), in which it might
  // starve.
  long io = syscall(SYS_ioprio_get, 1, 0);
  if (io >= 0 && io >> 13 != 3) syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7);
  int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  char digits[2] = {(char)('0' + least / 10), (char)('0' + least % 10)};
  ssize_t ignored = write(group, digits, sizeof digits);
  (void)ignored;
  close(group);
}

static const char *prepare(const struct clinux_spawn *spawn, pid_t parent) {
  if (spawn->new_session && setsid() < 0) return "make a session for";
  if (spawn->new_group && setpgid(0, 0) < 0) return "make a process group for";
  if (spawn->death_signal) {
    if (prctl(PR_SET_PDEATHSIG, spawn->death_signal, 0, 0, 0) < 0) return "bind the life of";
    errno = ESRCH;
    if (getppid() != parent) return "bind the life of";
  }
  if (spawn->resets_terms) clinux_reset_terms();
  if (spawn->terms) clinux_take_terms(spawn->terms, spawn->term_count);
  if (spawn->niceness > 0) give_way(spawn->niceness);
  if (spawn->directory && chdir(spawn->directory) < 0) return "enter the folder";
  if (place_descriptors(spawn) < 0) return "pass descriptors to";
  // All signals are blocked here, SIGTTOU among them.
  if (spawn->takes_foreground && tcsetpgrp(1, getpid()) < 0) return "give a terminal to";
  if (spawn->announce_prefix && announce(spawn) < 0) return "record the start of";
  return NULL;
}

/// The child of clinux_spawn, from its first instruction on.
static void __attribute__((noreturn, noinline)) become_program(
    struct clinux_spawn *spawn, pid_t parent, volatile int *problem) {
  sigset_t none;
  sigemptyset(&none);
  const char *step = prepare(spawn, parent);
  if (!step) {
    // Last: until here the descriptors of the parent may exceed the limit.
    if (descriptors_raised) setrlimit(RLIMIT_NOFILE, &descriptors_before);
    if (spawn->terms) clinux_take_limits(spawn->terms);
    default_dispositions();
    sigprocmask(SIG_SETMASK, &none, NULL);
    execute(spawn);
    step = "start";
  }
  *problem = errno ? errno : EIO;
  spawn->failed_step = step;
  _exit(127);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLINUX_NO_VFORK_INTO 1
#endif
#endif

/// As vfork(2), with the child in a control group from its start (CLONE_INTO_CGROUP of clone3(2), since
/// Linux 5.7): moving a process later waits for every other one, up to 10 ms.
///
/// Inlined, as the child goes on with this stack: it must never return from its caller.
static inline long __attribute__((always_inline)) vfork_into(int group) {
  struct {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
        set_tid_size, cgroup;
  } arguments = {.flags = CLONE_VM | CLONE_VFORK | 0x200000000ull /* CLONE_INTO_CGROUP */,
                 .exit_signal = SIGCHLD, .cgroup = (uint64_t)group};
#if defined(CLINUX_NO_VFORK_INTO)
  (void)arguments;
  return -ENOSYS;
#elif defined(__x86_64__)
  long outcome;
  __asm__ volatile("syscall"
                   : "=a"(outcome)
                   : "a"(435L), "D"(&arguments), "S"(sizeof arguments)
                   : "rcx", "r11", "memory");
  return outcome;
#elif defined(__aarch64__)
  register long call __asm__("x8") = 435;
  register long first __asm__("x0") = (long)&arguments;
  register long second __asm__("x1") = sizeof arguments;
  __asm__ volatile("svc #0" : "+r"(first) : "r"(call), "r"(second) : "memory");
  return first;
#else
  (void)arguments;
  return -ENOSYS;
#endif
}

int clinux_spawn(struct clinux_spawn *spawn) {
  sigset_t all, before;
  sigfillset(&all);
  // No handler of the parent may run in the child: it would run on the parent's memory.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  volatile int problem = 0;
  spawn->failed_step = NULL;
  long child;
  if (spawn->control_group) {
    child = vfork_into(spawn->control_group);
    if (child == 0) become_program(spawn, parent, &problem);
    if (child < 0) {
      problem = (int)-child;
      if (child != -EAGAIN && child != -ENOMEM) spawn->failed_step = clinux_entering_group;
    }
  } else {
    child = vfork();
    if (child == 0) become_program(spawn, parent, &problem);
    if (child < 0) problem = errno;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!problem) return (int)child;
  if (child > 0)
    while (waitpid((pid_t)child, NULL, 0) < 0 && errno == EINTR) continue;
  return -problem;
}
