// A machine whose disk fails and whose clock jumps, for the program that FAULTY_PROGRAM names: loaded before
// the C library (LD_PRELOAD). In the folder that FAULTS names
//   disk    while it is there, reads, writes and flushes of files in the state folder below JOBRUN_HOME fail: with
//           the error number in it, else EIO
//   folders while it is there, no folder in the state folder can be removed: EROFS
//   clock   the seconds by which the wall clock is wrong
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char disk[512], folders[512], home[512], clock_path[512];
static int is_meant;

__attribute__((constructor)) static void begin(void) {
  const char *program = getenv("FAULTY_PROGRAM"), *faults = getenv("FAULTS");
  const char *folder = getenv("JOBRUN_HOME");
  is_meant = program && faults && folder && !strcmp(program_invocation_short_name, program);
  if (!is_meant) return;
  snprintf(disk, sizeof disk, "%s/disk", faults);
  snprintf(folders, sizeof folders, "%s/folders", faults);
  snprintf(clock_path, sizeof clock_path, "%s/clock", faults);
  snprintf(home, sizeof home, "%s/state/", folder);
}

static int fails(int file) {
  if (!is_meant || access(disk, F_OK)) return 0;
  char name[64], target[512];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  struct stat status;
  if (strncmp(target, home, strlen(home)) || fstat(file, &status) || !S_ISREG(status.st_mode)) return 0;
  char number[16] = "";
  int numbers = open(disk, O_RDONLY | O_CLOEXEC);
  if (numbers >= 0) {
    syscall(SYS_read, numbers, number, sizeof number - 1);
    close(numbers);
  }
  errno = atoi(number) > 0 ? atoi(number) : EIO;
  return 1;
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  return fails(file) ? -1 : syscall(SYS_pread64, file, bytes, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return pread(file, bytes, count, offset); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return fails(file) ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite(file, bytes, count, offset);
}
ssize_t write(int file, const void *bytes, size_t count) {
  return fails(file) ? -1 : syscall(SYS_write, file, bytes, count);
}
int fsync(int file) { return fails(file) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(file) ? -1 : (int)syscall(SYS_fdatasync, file); }

int rmdir(const char *path) {
  if (is_meant && !strncmp(path, home, strlen(home)) && !access(folders, F_OK)) {
    errno = EROFS;
    return -1;
  }
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int clock_gettime(clockid_t id, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, id, time);
  if (result || !is_meant || id != CLOCK_REALTIME) return result;
  int saved = errno, file = (int)syscall(SYS_openat, AT_FDCWD, clock_path, O_RDONLY | O_CLOEXEC);
  char text[32] = "";
  if (file >= 0) {
    if (syscall(SYS_read, file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
    syscall(SYS_close, file);
  }
  errno = saved;
  return 0;
}
