// A disk that forgets: lossy_disk FOLDER IMAGE mounts a file system of its own at FOLDER (FUSE, as
// linux/fuse.h describes it) with one file, `disk`, for a loop device. What is written to it can be
// read back at once, and reaches IMAGE only when it is flushed, as with the cache of a real disk.
//
// Prints `ready`, then obeys lines on standard input:
//   cut SEED   power is cut: of all that was not flushed, IMAGE gets some sectors, others not, chosen
//              by SEED; `cut KEPT LOST` is printed. Later writes are forgotten, and a flush
//              is not answered: no process continues as if it had been kept.
//   release    the waiting flushes are answered, so that their processes can end; kill these before.
// It leaves when its input ends. Where such a mount is not to be had: `impossible`, and the reason.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { sector = 4096, most_written = 1 << 17 };

// A write that was not flushed, oldest first.
struct pending {
  struct pending *next;
  uint64_t offset;
  uint32_t length;
  char bytes[];
};

static struct pending *oldest, **newest = &oldest;
static int durable, cache;
static uint64_t size;
static int is_cut, is_released;
// Flushes that wait for `release`.
static struct fuse_in_header held[256];
static unsigned held_count;

static void fail(const char *verdict, const char *what) {
  printf("%s: %s: %s\n", verdict, what, strerror(errno));
  exit(1);
}

static void put(int file, const char *bytes, uint64_t length, uint64_t offset) {
  if (pwrite(file, bytes, length, offset) != (ssize_t)length) fail("broken", "write the image");
}

static void accept_write(const char *bytes, uint32_t length, uint64_t offset) {
  put(cache, bytes, length, offset);
  if (is_cut) return;
  struct pending *write = malloc(sizeof *write + length);
  if (!write) fail("broken", "keep a write");
  *write = (struct pending){.offset = offset, .length = length};
  memcpy(write->bytes, bytes, length);
  *newest = write;
  newest = &write->next;
}

static void forget_writes(void) {
  for (struct pending *next; oldest; oldest = next) {
    next = oldest->next;
    free(oldest);
  }
  newest = &oldest;
}

static void flush_writes(void) {
  for (struct pending *write = oldest; write; write = write->next) {
    put(durable, write->bytes, write->length, write->offset);
  }
  forget_writes();
}

static uint64_t next_random(uint64_t *state) {  // SplitMix64
  uint64_t mixed = *state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// A disk writes what is in its cache in any order, and a sector wholly or not at all.
static void cut(uint64_t seed) {
  unsigned kept = 0, lost = 0;
  // From all lost to all kept; a share of its own for each cut.
  uint64_t share = next_random(&seed) % 101;
  for (struct pending *write = oldest; write; write = write->next) {
    for (uint32_t done = 0; done < write->length; done += sector) {
      uint32_t rest = write->length - done, length = rest < sector ? rest : sector;
      if (next_random(&seed) % 100 >= share) {
        lost += 1;
      } else {
        put(durable, write->bytes + done, length, write->offset + done);
        kept += 1;
      }
    }
  }
  forget_writes();
  is_cut = 1;
  printf("cut %u %u\n", kept, lost);
  fflush(stdout);
}

static void answer(int device, const struct fuse_in_header *request, int error, const void *data,
                   size_t length) {
  struct fuse_out_header head = {
      .len = sizeof head + length, .error = error, .unique = request->unique};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
  if (writev(device, parts, 2) < 0 && errno != ENOENT) fail("broken", "answer");
}

static void release(int device) {
  is_released = 1;
  while (held_count > 0) answer(device, &held[--held_count], 0, NULL, 0);
}

static struct fuse_attr attributes(uint64_t node) {
  struct fuse_attr attributes = {.ino = node, .nlink = 1, .mode = S_IFDIR | 0700};
  if (node == 1) return attributes;
  attributes.mode = S_IFREG | 0600;
  attributes.size = size;
  attributes.blocks = size / 512;
  return attributes;
}

static void serve(int device, const char *bytes) {
  const struct fuse_in_header *request = (const void *)bytes;
  const void *body = request + 1;
  static char found[1 << 20];
  switch (request->opcode) {
    case FUSE_INIT: {
      const struct fuse_init_in *offered = body;
      struct fuse_init_out init = {
          .major = 7, .minor = 31, .max_readahead = offered->max_readahead,
          .flags = FUSE_BIG_WRITES, .max_write = most_written};
      return answer(device, request, 0, &init, sizeof init);
    }
    case FUSE_LOOKUP: {
      struct fuse_entry_out entry = {
          .nodeid = 2, .attr = attributes(2), .entry_valid = 3600, .attr_valid = 3600};
      if (strcmp(body, "disk")) return answer(device, request, -ENOENT, NULL, 0);
      return answer(device, request, 0, &entry, sizeof entry);
    }
    case FUSE_GETATTR:
    case FUSE_SETATTR: {
      struct fuse_attr_out known = {.attr = attributes(request->nodeid), .attr_valid = 3600};
      return answer(device, request, 0, &known, sizeof known);
    }
    case FUSE_OPEN: {
      struct fuse_open_out opened = {.fh = 1};
      return answer(device, request, 0, &opened, sizeof opened);
    }
    case FUSE_READ: {
      const struct fuse_read_in *wanted = body;
      uint32_t length = wanted->size < sizeof found ? wanted->size : sizeof found;
      ssize_t count = pread(cache, found, length, wanted->offset);
      return answer(device, request, count < 0 ? -EIO : 0, found, count < 0 ? 0 : count);
    }
    case FUSE_WRITE: {
      const struct fuse_write_in *wanted = body;
      struct fuse_write_out written = {.size = wanted->size};
      accept_write((const char *)(wanted + 1), wanted->size, wanted->offset);
      return answer(device, request, 0, &written, sizeof written);
    }
    case FUSE_FSYNC:
      if (!is_cut) {
        flush_writes();
      } else if (!is_released && held_count < sizeof held / sizeof *held) {
        held[held_count++] = *request;
        return;
      }
      return answer(device, request, 0, NULL, 0);
    case FUSE_FLUSH:
    case FUSE_RELEASE: return answer(device, request, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: return;
    default: return answer(device, request, -ENOSYS, NULL, 0);
  }
}

// Reads before the first flush return the old contents; the cache is unnamed and ends with this program.
static void open_image(const char *path) {
  struct stat status;
  durable = open(path, O_RDWR | O_CLOEXEC);
  if (durable < 0 || fstat(durable, &status) < 0) fail("broken", path);
  size = status.st_size;
  char name[4096];
  snprintf(name, sizeof name, "%s.cache", path);
  cache = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (cache < 0 || unlink(name) < 0 || ftruncate(cache, size) < 0) fail("broken", name);
  static char bytes[1 << 20];
  off_t hole = 0;
  for (off_t at = 0; (at = lseek(durable, hole, SEEK_DATA)) >= 0;) {
    hole = lseek(durable, at, SEEK_HOLE);
    for (ssize_t count; at < hole; at += count) {
      size_t wanted = hole - at < (off_t)sizeof bytes ? hole - at : (off_t)sizeof bytes;
      count = pread(durable, bytes, wanted, at);
      if (count <= 0) fail("broken", "read the image");
      put(cache, bytes, count, at);
    }
  }
}

static int mount_at(const char *folder) {
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) fail("impossible", "open /dev/fuse");
  char options[96];
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
  if (mount("lossy", folder, "fuse", MS_NOSUID | MS_NODEV, options) < 0) fail("impossible", "mount");
  return device;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  open_image(arguments[2]);
  int device = mount_at(arguments[1]);
  printf("ready\n");
  fflush(stdout);
  static char bytes[most_written + 8192] __attribute__((aligned(8)));
  struct pollfd polled[] = {{device, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  for (;;) {
    if (poll(polled, 2, -1) < 0 && errno != EINTR) fail("broken", "poll");
    // What the disk was asked before the cut was asked before it.
    if (polled[0].revents & POLLIN) {
      if (read(device, bytes, sizeof bytes) > 0) serve(device, bytes);
      else if (errno == ENODEV) return 0;
      else if (errno != EINTR && errno != ENOENT && errno != EAGAIN) fail("broken", "read");
    } else if (polled[0].revents) {
      return 0;  // It was unmounted.
    } else if (polled[1].revents) {
      char line[64];
      ssize_t length = read(STDIN_FILENO, line, sizeof line - 1);
      if (length <= 0) return 0;
      line[length] = 0;
      if (!strncmp(line, "cut ", 4)) cut(strtoull(line + 4, NULL, 10));
      if (!strcmp(line, "release\n")) release(device);
    }
  }
}
