// A file server that dies: dead_mount FOLDER mounts a file system of its own (FUSE, as linux/fuse.h
// describes it) with one file, `big`, in a mount namespace of its own. A child reads the first part
// of the file and keeps it open; then `dead` is printed, and no request is answered any more. Where
// such a mount is not to be had, `impossible` and the reason are printed instead. The
// kernel releases all waiting processes once this program ends, at the latest after two minutes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { size = 8 << 20, part = 1000000, patience = 120 };

// The message of a failure: until it is mounted, that this machine allows no such mount.
static const char *verdict = "impossible";

static void fail(const char *what) {
  printf("%s: %s: %s\n", verdict, what, strerror(errno));
  exit(1);
}

static void write_file(const char *path, const char *format, unsigned number) {
  char text[64];
  int length = snprintf(text, sizeof text, format, number);
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, length) != length) fail(path);
  close(file);
}

// Root in a user namespace may mount as well.
static void enter_namespace(void) {
  unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWNS) < 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) fail("make a mount namespace");
    write_file("/proc/self/setgroups", "deny", 0);
    write_file("/proc/self/uid_map", "0 %u 1", user);
    write_file("/proc/self/gid_map", "0 %u 1", group);
  }
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) fail("keep mounts private");
}

static void answer(int device, const struct fuse_in_header *request, int error, const void *data,
                   size_t length) {
  struct fuse_out_header head = {
      .len = sizeof head + length, .error = error, .unique = request->unique};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
  if (writev(device, parts, 2) < 0 && errno != ENOENT) fail("answer");
}

static struct fuse_attr attributes(uint64_t node) {
  struct fuse_attr attributes = {.ino = node, .nlink = 1, .mode = S_IFDIR | 0755};
  if (node == 1) return attributes;
  attributes.mode = S_IFREG | 0644;
  attributes.size = size;
  return attributes;
}

static void serve(int device, const char *bytes) {
  const struct fuse_in_header *request = (const void *)bytes;
  const void *body = request + 1;
  static const char zeros[1 << 20];
  switch (request->opcode) {
    case FUSE_INIT: {
      struct fuse_init_out init = {.major = 7, .minor = 31, .max_write = 1 << 16};
      return answer(device, request, 0, &init, sizeof init);
    }
    case FUSE_LOOKUP: {
      // Nothing is cached: every process must ask again.
      struct fuse_entry_out entry = {.nodeid = 2, .attr = attributes(2)};
      if (strcmp(body, "big")) return answer(device, request, -ENOENT, NULL, 0);
      return answer(device, request, 0, &entry, sizeof entry);
    }
    case FUSE_GETATTR: {
      struct fuse_attr_out found = {.attr = attributes(request->nodeid)};
      return answer(device, request, 0, &found, sizeof found);
    }
    case FUSE_OPEN: {
      struct fuse_open_out opened = {.fh = 1};
      return answer(device, request, 0, &opened, sizeof opened);
    }
    case FUSE_READ: {
      const struct fuse_read_in *wanted = body;
      uint64_t rest = wanted->offset < size ? size - wanted->offset : 0;
      return answer(device, request, 0, zeros, wanted->size < rest ? wanted->size : rest);
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET: return;
    default: return answer(device, request, -ENOSYS, NULL, 0);
  }
}

// Reads a part, says so, and keeps the file open; without the device, whose last descriptor must go
// with the server, or the end of this process would wait for itself.
static void hold(const char *folder, int device, int ready) {
  close(device);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  static char bytes[part];
  if (chdir(folder) < 0) _exit(1);
  int file = open("big", O_RDONLY);
  for (size_t count = 0; count < part;) {
    ssize_t more = read(file, bytes, part - count);
    if (more <= 0) _exit(1);
    count += more;
  }
  if (write(ready, "", 1) == 1) pause();
  _exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  alarm(patience);
  enter_namespace();
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) fail("open /dev/fuse");
  char options[96];
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device,
           geteuid(), getegid());
  if (mount("dead", arguments[1], "fuse", MS_NOSUID | MS_NODEV, options) < 0) fail("mount");
  verdict = "broken";
  int ready[2];
  if (pipe(ready) < 0) fail("make a pipe");
  if (fork() == 0) hold(arguments[1], device, ready[1]);
  close(ready[1]);
  static char bytes[1 << 17] __attribute__((aligned(8)));
  struct pollfd polled[] = {{device, POLLIN, 0}, {ready[0], POLLIN, 0}};
  while (poll(polled, 2, -1) >= 0 && !polled[1].revents) {
    if (read(device, bytes, sizeof bytes) > 0) serve(device, bytes);
    else if (errno != EINTR && errno != ENOENT) fail("read a request");
  }
  char byte;
  if (read(ready[0], &byte, 1) != 1) fail("read from the mount");
  printf("dead\n");
  fflush(stdout);
  for (;;) pause();
}
