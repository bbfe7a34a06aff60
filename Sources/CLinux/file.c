#define _GNU_SOURCE
#include "CLinux.h"
#include "musl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

int clinux_open(const char *path, int flags, uint32_t mode) {
  int descriptor;
  do descriptor = open(path, flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return result(descriptor);
}

int clinux_open_direct(const char *path) { return clinux_open(path, O_RDONLY | O_DIRECT, 0); }

int clinux_synchronise_all(int descriptor) { return syncfs(descriptor) < 0 ? -errno : 0; }

int64_t clinux_read_direct(int descriptor, void *bytes, size_t count) {
  _Alignas(4096) char room[4096];
  if (count > sizeof room) count = sizeof room;
  ssize_t got;
  do got = pread(descriptor, room, sizeof room, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  if ((size_t)got > count) got = (ssize_t)count;
  memcpy(bytes, room, (size_t)got);
  return got;
}

int clinux_add_name(const char *path, const char *other) {
  return link(path, other) < 0 ? -errno : 0;
}

int clinux_open_at(int folder, const char *name, int flags) {
  int descriptor;
  do descriptor = openat(folder, name, flags | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  return result(descriptor);
}

int clinux_move_new(const char *path, const char *other) {
  return result(syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 1 /* RENAME_NOREPLACE */));
}

int clinux_is_sole(int descriptor) {
  // A write lease is granted only while no other descriptor is open. A process that opens the file before
  // the lease is given back waits for that, and the kernel sends a signal: one that is ignored by default.
  if (fcntl(descriptor, F_SETSIG, SIGURG) < 0) return -errno;
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) < 0) return errno == EAGAIN ? 0 : -errno;
  return fcntl(descriptor, F_SETLEASE, F_UNLCK) < 0 ? -errno : 1;
}

int64_t clinux_link_of(int descriptor, char *target, size_t capacity) {
  ssize_t length = readlinkat(descriptor, "", target, capacity);
  return length < 0 ? -errno : length;
}

int clinux_is_mount_root(int descriptor) {
  struct statx raw;
  if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &raw) < 0) return -errno;
  if (!(raw.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)) return -ENOSYS;  // before Linux 5.8
  return raw.stx_attributes & STATX_ATTR_MOUNT_ROOT ? 1 : 0;
}

int clinux_has_access_list(int descriptor) {
  // Through its name: a descriptor opened with O_PATH has no attributes.
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  return getxattr(name, "system.posix_acl_access", NULL, 0) > 0;
}

int clinux_attribute(const char *path, const char *name, char *content, size_t capacity) {
  return result(getxattr(path, name, content, capacity));
}

int clinux_set_attribute(const char *path, const char *name, const char *content, size_t length) {
  return result(setxattr(path, name, content, length, 0));
}

int clinux_lock(int descriptor, int exclusive, int block) {
  int outcome;
  do outcome = flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | (block ? 0 : LOCK_NB));
  while (outcome < 0 && errno == EINTR);
  return result(outcome);
}

int clinux_space(const char *path, struct clinux_space *space) {
  struct statfs raw;
  if (statfs(path, &raw) < 0) return -errno;
  space->type = (uint32_t)raw.f_type;
  space->free_bytes = (uint64_t)raw.f_bavail * raw.f_bsize;
  space->total_bytes = (uint64_t)raw.f_blocks * raw.f_bsize;
  return 0;
}

#ifndef STATX_MNT_ID_UNIQUE
#define STATX_MNT_ID_UNIQUE 0x00004000U
#endif

int clinux_mount(const char *path, uint64_t *number) {
  struct statx raw;
  if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_MNT_ID_UNIQUE, &raw) < 0)
    return -errno;
  if (!(raw.stx_mask & STATX_MNT_ID_UNIQUE)) return -EOPNOTSUPP;
  *number = raw.stx_mnt_id;
  return 0;
}

int clinux_is_memory(int64_t type) {
  return (uint32_t)type == 0x01021994 /* tmpfs */ || (uint32_t)type == 0x858458f6 /* ramfs */;
}

int clinux_is_network(int64_t type) {
  static const uint32_t types[] = {
      0x6969,      // NFS
      0xff534d42,  // CIFS
      0xfe534d42,  // SMB2
      0x517b,      // SMB
      0x65735546,  // FUSE, such as sshfs
      0x01021997,  // 9P
      0x5346414f,  // AFS
      0x73757245,  // Coda
      0x00c36400,  // Ceph
      0x0bd00bd0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x01161970,  // GFS2
      0x7461636f,  // OCFS2
      0x20030528,  // OrangeFS
      0xaad7aaea,  // PanFS
      0x564c,      // NCP
      0x786f4256,  // VirtualBox shared folder
      0xbacbacbc,  // VMware shared folder
  };
  for (size_t index = 0; index < sizeof types / sizeof *types; index++)
    if (types[index] == (uint32_t)type) return 1;
  return 0;
}

static int kind_of(mode_t mode) {
  if (S_ISREG(mode)) return 1;
  if (S_ISDIR(mode)) return 2;
  if (S_ISLNK(mode)) return 3;
  if (S_ISSOCK(mode)) return 4;
  if (S_ISCHR(mode)) return 5;
  return S_ISBLK(mode) ? 6 : 0;
}

static void fill(const struct stat *raw, struct clinux_status *status) {
  status->kind = kind_of(raw->st_mode);
  status->mode = raw->st_mode & 07777;
  status->owner = raw->st_uid;
  status->group = raw->st_gid;
  status->device = raw->st_dev;
  status->node = raw->st_ino;
  status->size = raw->st_size;
  status->links = raw->st_nlink;
  status->modified_nanoseconds =
      (int64_t)raw->st_mtim.tv_sec * 1000000000 + raw->st_mtim.tv_nsec;
}

int clinux_status(const char *path, int follow, struct clinux_status *status) {
  struct stat raw;
  if ((follow ? stat(path, &raw) : lstat(path, &raw)) < 0) return -errno;
  fill(&raw, status);
  return 0;
}

int clinux_status_of(int descriptor, struct clinux_status *status) {
  struct stat raw;
  if (fstat(descriptor, &raw) < 0) return -errno;
  fill(&raw, status);
  return 0;
}

static int64_t nanoseconds(struct statx_timestamp time) {
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

int clinux_known_status(const char *path, struct clinux_status *status) {
  struct statx raw;
  const unsigned wanted =
      STATX_TYPE | STATX_INO | STATX_SIZE | STATX_NLINK | STATX_MTIME | STATX_BTIME;
  if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, wanted, &raw) < 0) return -errno;
  *status = (struct clinux_status){
      .kind = kind_of(raw.stx_mode),
      .device = makedev(raw.stx_dev_major, raw.stx_dev_minor),
      .node = raw.stx_ino,
      .size = (int64_t)raw.stx_size,
      .modified_nanoseconds = nanoseconds(raw.stx_mtime),
      .born_nanoseconds = raw.stx_mask & STATX_BTIME ? nanoseconds(raw.stx_btime) : 0,
      .links = raw.stx_nlink,
  };
  return 0;
}

static int64_t list(const char *directory, char *names, size_t capacity, int64_t full) {
  DIR *stream = opendir(directory);
  if (!stream) return -errno;
  size_t used = 0;
  struct dirent *entry;
  int64_t problem = 0;
  while (errno = 0, (entry = readdir(stream))) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    size_t length = strlen(entry->d_name) + 1;
    if (length > capacity - used) {
      problem = full;
      errno = 0;
      break;
    }
    memcpy(names + used, entry->d_name, length);
    used += length;
  }
  if (!problem && errno) problem = -errno;
  closedir(stream);
  return problem ? problem : (int64_t)used;
}

int64_t clinux_list(const char *directory, char *names, size_t capacity) {
  return list(directory, names, capacity, -ERANGE);
}

int64_t clinux_list_some(const char *directory, char *names, size_t capacity) {
  return list(directory, names, capacity, 0);
}

// MARK: Unix sockets

int clinux_socket(void) {
  return result(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

static int address_of(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int clinux_socket_pair(int *one, int *other) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
  *one = ends[0];
  *other = ends[1];
  return 0;
}

int clinux_bind(int socket, const char *path) {
  struct sockaddr_un address;
  int problem = address_of(path, &address);
  if (problem) return problem;
  if (bind(socket, (struct sockaddr *)&address, sizeof address) < 0) return -errno;
  return result(listen(socket, 4096));
}

int clinux_connect(int socket, const char *path) {
  struct sockaddr_un address;
  int problem = address_of(path, &address);
  if (problem) return problem;
  return result(connect(socket, (struct sockaddr *)&address, sizeof address));
}

int clinux_notify(const char *text) {
  const char *path = getenv("NOTIFY_SOCKET");
  if (!path) return 0;
  struct sockaddr_un address;
  int problem = address_of(path, &address);
  socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(path);
  unsetenv("NOTIFY_SOCKET");
  if (problem) return problem;
  // A name in the abstract namespace (unix(7)).
  if (address.sun_path[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -errno;
  int failed = sendto(descriptor, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
                      length) < 0 ? -errno : 0;
  close(descriptor);
  return failed;
}

int clinux_accept(int socket) {
  return result(accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

int clinux_punch_hole(int descriptor, int64_t offset, int64_t length) {
  int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  int failed;
  do failed = fallocate(descriptor, mode, offset, length);
  while (failed < 0 && errno == EINTR);
  return failed < 0 ? -errno : 0;
}

int64_t clinux_seek_data(int descriptor, int64_t offset) {
  off_t found = lseek(descriptor, offset, SEEK_DATA);
  return found < 0 ? -errno : found;
}

int64_t clinux_seek_hole(int descriptor, int64_t offset) {
  off_t found = lseek(descriptor, offset, SEEK_HOLE);
  return found < 0 ? -errno : found;
}

int clinux_peer(int socket, uint32_t *user, int32_t *pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -errno;
  *user = peer.uid;
  *pid = peer.pid;
  return 0;
}

int64_t clinux_send(
    int socket, const void *bytes, size_t count, int descriptor, int second) {
  struct iovec part = {(void *)bytes, count};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    int both[2] = {descriptor, second};
    size_t size = (second >= 0 ? 2 : 1) * sizeof(int);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(&control.header), both, size);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int64_t clinux_receive(
    int socket, void *bytes, size_t capacity, int *descriptor, int *second, bool *lost) {
  struct iovec part = {bytes, capacity};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(16 * sizeof(int))];
  } control = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor = -1;
  *second = -1;
  *lost = false;
  ssize_t count;
  do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  *lost = message.msg_flags & MSG_CTRUNC;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t many = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < many; index++) {
      int one;
      memcpy(&one, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      if (*descriptor < 0) *descriptor = one;
      else if (*second < 0) *second = one;
      else close(one);
    }
  }
  return count;
}
