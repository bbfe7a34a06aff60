#pragma once

// System calls that Swift's Glibc module lacks, in a form that Swift imports well: plain integers and flat
// structures. Every function returns a value of 0 or more, or -errno.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Errors

/// The sentence for an error number in English; never null and never freed.
const char *clinux_error_text(int number);

// MARK: Waiting (epoll(7), poll(2))

enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_HANGUP = 4, CLINUX_PRIORITY = 8 };

struct clinux_event {
  uint64_t token;
  uint32_t flags;
};

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t flags, uint64_t token);
int clinux_epoll_modify(int epoll, int descriptor, uint32_t flags, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/// Waits at most `nanoseconds` (negative: for ever); returns how many events were filled in.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int64_t nanoseconds);

/// Waits for any of the descriptors; `flags` holds the requested events and then the reported ones.
int clinux_poll(const int *descriptors, uint32_t *flags, int count, int64_t nanoseconds);

// MARK: The civil clock (timerfd_create(2))

int clinux_wall_alarm(void);
/// Milliseconds since 1970; 0 stops it. It also rings when the clock is set.
int clinux_wall_alarm_set(int alarm, int64_t milliseconds);
void clinux_wall_alarm_take(int alarm);
/// The next second after `now` at which the local clock shows this time.
int64_t clinux_next_clock(int64_t now, int hour, int minute);
/// Local date and time at a time as if they were UTC, and the time at which the clock shows them.
int64_t clinux_local_shown(int64_t second);
int64_t clinux_local_time(int64_t shown);
/// Local date and time; months from 1, weekdays from Sunday = 0.
typedef struct {
  int year, month, day, hour, minute, second, weekday;
} clinux_reading;
void clinux_local_reading(int64_t second, clinux_reading *reading);
/// When the local clock shows this; day 0 or -1 lies before the first of the month (mktime(3)).
int64_t clinux_local_second(int year, int month, int day, int hour, int minute);

// MARK: Signals (signalfd(2))

/// Signal sets are bit masks: bit N - 1 stands for signal N, 1…64.
int clinux_signal_descriptor(uint64_t signals);
/// Changes the calling thread's mask; `how`: 0 block, 1 unblock, 2 set.
int clinux_signal_mask(int how, uint64_t signals, uint64_t *previous);
int clinux_signal_ignore(int number);
/// Takes one pending signal from a signalfd: its number; -EAGAIN when none is pending.
int clinux_signal_take(int descriptor, int32_t *sender);

// MARK: Processes

int clinux_pidfd_open(pid_t pid);
int clinux_pidfd_signal(int pidfd, int number);
int clinux_kill(pid_t pid, int number);
int clinux_child_subreaper(void);
int clinux_session(void);
/// Disables core dumps and access to this process's memory and environment by other processes of its user
/// (PR_SET_DUMPABLE of prctl(2)); programs that it executes are not affected.
int clinux_hide_memory(void);
/// Names the current work, at most 255 bytes; empty: none. If this process traps meanwhile, the name is
/// written to the descriptor of `clinux_tell_traps`.
void clinux_set_suspect(const char *name, size_t length);
/// From now on a trap (SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV) is recorded before it ends this
/// process as usual.
int clinux_tell_traps(int descriptor);
/// Copies this process, which must have one thread, as fork(2) does, but as a child of its own parent
/// (CLONE_PARENT). Returns the copy's pid; 0 in the copy; -ENOSYS where a sanitizer's threads would be
/// lost.
int clinux_fork_sibling(void);
/// Raises the soft limit of open files to the hard one; spawned programs get the old one back.
int clinux_raise_descriptor_limit(void);
/// The soft limit of open files.
int64_t clinux_descriptor_limit(void);
/// Returns freed memory to the kernel (malloc_trim(3)).
void clinux_give_back_memory(void);

struct clinux_exit {
  pid_t pid;
  /// 1: exited with `code`; 0: killed by signal `code`.
  int32_t exited;
  int32_t code;
  /// User and system time of the child and of the children that it waited for.
  int64_t cpu_microseconds;
  int64_t resident_bytes;
  /// Disk reads and writes of the child and of the children that it waited for.
  int64_t read_bytes;
  int64_t written_bytes;
};

/// wait4(2) with its pid argument; returns the reaped pid, or 0 when no child has ended yet.
int clinux_wait(pid_t pid, int block, struct clinux_exit *end);

// What children inherit beside environment and umask, as numbers: soft and hard limit of each resource
// (getrlimit(2)), in the kernel's order, the values below, and a mask of processors.
enum {
  CLINUX_TERMS_NICE = 32,
  /// The scheduling policy (sched(7)), and the priority of a real-time one.
  CLINUX_TERMS_POLICY,
  CLINUX_TERMS_PRIORITY,
  /// As ioprio_get(2) returns it.
  CLINUX_TERMS_IO,
  /// oom_score_adj (proc_pid_oom_score_adj(5)).
  CLINUX_TERMS_SCORE,
  CLINUX_TERMS_PERSONALITY,
  /// 1: it and its children cannot gain privileges (PR_SET_NO_NEW_PRIVS of prctl(2)).
  CLINUX_TERMS_PRIVILEGES,
  CLINUX_TERMS_FIXED,
  CLINUX_TERMS_MOST = CLINUX_TERMS_FIXED + 128,
};

/// Writes the terms of this process and returns how many numbers there are; needs space for the maximum.
int clinux_terms(uint64_t *words, int capacity);
/// Applies all but the limits, as far as this process may.
void clinux_take_terms(const uint64_t *words, int count);
void clinux_take_limits(const uint64_t *words);
/// Resets this process to the system's default terms, as far as it may.
void clinux_reset_terms(void);

/// Whether a thread lets others go first, with processors (SCHED_BATCH of sched(7)) and disks (idle): as far as
/// it can be taken back without privilege.
void clinux_give_way(pid_t thread, int gives_way);

struct clinux_spawn {
  /// Tried in this order until one can be executed.
  const char *const *executables;
  const char *const *arguments;
  const char *const *environment;
  /// Null: inherit.
  const char *directory;
  /// Space for a shell's argument list: the number of `arguments` + 2 pointers, then a null.
  const char **shell_arguments;
  /// `sources[i]` becomes `targets[i]`; everything else above 2 is closed.
  const int32_t *sources;
  const int32_t *targets;
  int32_t descriptors;
  int32_t new_session;
  int32_t new_group;
  /// Not 0: standard output is the session's terminal, and the new group is in its foreground.
  int32_t takes_foreground;
  /// The signal that the child gets when the calling thread ends; 0: none.
  int32_t death_signal;
  /// More than 0: the minimum niceness of the child, which also gets the lowest disk priority.
  int32_t niceness;
  /// Not null: the `terms` for the child, this many.
  const uint64_t *terms;
  int32_t term_count;
  /// Not 0: the child gets the system's default terms.
  int32_t resets_terms;
  /// The open folder of a cgroup2 group in which the child starts; 0: its parent's.
  int32_t control_group;
  /// The child writes this to `announce_to` just before it executes: prefix, its pid, a space, its start
  /// time, suffix. Null: nothing.
  const char *announce_prefix;
  const char *announce_suffix;
  int32_t announce_to[2];
  /// Filled in on failure: the call that failed.
  const char *failed_step;
};

/// The step that fails when the kernel takes no child into the group: nothing was started.
extern const char *const clinux_entering_group;

/// Starts a program as vfork(2) does; default dispositions, empty signal mask. Returns the new pid.
int clinux_spawn(struct clinux_spawn *spawn);

// MARK: Memory, descriptors, files

int clinux_memory_file(const char *name);
int clinux_event_descriptor(void);
/// Both ends close-on-exec: the reading one, then the writing one.
int clinux_pipe(int ends[2]);
int clinux_random(void *bytes, size_t count);
/// Sleeps until `*word` is no longer `expected`, a wake-up, or the end of the time.
int clinux_futex_wait(const uint32_t *word, uint32_t expected, int64_t nanoseconds);
int clinux_futex_wake(const uint32_t *word);

/// The counts of bytes that control groups send to the network, and the program that adds to them, loaded once;
/// closed on execution. Nothing of this without CAP_BPF and CAP_NET_ADMIN.
int clinux_traffic_map(void);
int clinux_traffic_program(int map);
/// From now on the bytes of the group with this folder count.
int clinux_traffic_count(int program, const char *group);
/// `group`: the number of its folder's inode.
int clinux_traffic_sent(int map, uint64_t group, uint64_t *bytes);

struct clinux_space {
  int64_t type;
  uint64_t free_bytes;
  uint64_t total_bytes;
};

int clinux_space(const char *path, struct clinux_space *space);

/// The number of the mount of the path, unique within this boot (Linux 6.8); -EOPNOTSUPP where the kernel
/// has no such numbers.
int clinux_mount(const char *path, uint64_t *number);

/// A child that was stopped since the last call (waitid(2)), each reported once; 0 = none.
int clinux_stopped_child(void);

/// 1 when the file system type of statfs(2) keeps its files in memory.
int clinux_is_memory(int64_t type);

/// 1 when the file system type of statfs(2) is served over a network or by a program.
int clinux_is_network(int64_t type);

struct clinux_status {
  /// 1 file, 2 directory, 3 symbolic link, 4 socket, 5 character device, 6 block device, 0 other.
  int32_t kind;
  uint32_t mode;
  uint32_t owner;
  uint32_t group;
  uint64_t device;
  uint64_t node;
  int64_t size;
  int64_t modified_nanoseconds;
  /// The creation time; 0 if unknown. Only clinux_known_status sets it.
  int64_t born_nanoseconds;
  uint32_t links;
};

int clinux_status(const char *path, int follow, struct clinux_status *status);
int clinux_status_of(int descriptor, struct clinux_status *status);
/// The status from the kernel's cache, following links: all but mode and owner. On FUSE and local file
/// systems it never asks a server (AT_STATX_DONT_SYNC of statx(2)).
int clinux_known_status(const char *path, struct clinux_status *status);
/// 1 when a file system is mounted at the descriptor; -ENOSYS where the kernel cannot tell.
int clinux_is_mount_root(int descriptor);
/// 1 when an access list (acl(5)) grants more than the mode does.
int clinux_has_access_list(int descriptor);
/// An extended attribute's content (getxattr(2)): its length.
int clinux_attribute(const char *path, const char *name, char *content, size_t capacity);
int clinux_set_attribute(const char *path, const char *name, const char *content, size_t length);
/// Opens, close-on-exec, the entry of this name in the folder of a descriptor.
int clinux_open_at(int folder, const char *name, int flags);
/// Writes the target of the symbolic link of a descriptor (O_PATH); returns its length, without NUL.
int64_t clinux_link_of(int descriptor, char *target, size_t capacity);
/// Opens, close-on-exec, retrying when interrupted.
int clinux_open(const char *path, int flags, uint32_t mode);
/// Opens for reading past the page cache (O_DIRECT); -EINVAL where the file system cannot.
int clinux_open_direct(const char *path);
/// Reads the first bytes of a file opened like this, at most 4096; returns how many.
int64_t clinux_read_direct(int descriptor, void *bytes, size_t count);
/// As syncfs(2).
int clinux_synchronise_all(int descriptor);
/// As link(2).
int clinux_add_name(const char *path, const char *other);
int clinux_lock(int descriptor, int exclusive, int block);
/// As rename(2); -EEXIST when `other` exists.
int clinux_move_new(const char *path, const char *other);
/// 1 when the file has no other open descriptor and no mapping, 0 when it has; needs a writable descriptor
/// of a file of this user.
int clinux_is_sole(int descriptor);
/// Writes the names in `directory` into `names`, each ended by NUL; returns their size, or -ERANGE when
/// there is not enough space.
int64_t clinux_list(const char *directory, char *names, size_t capacity);
/// As clinux_list, but leaves out names for which there is no space; at least one must fit.
int64_t clinux_list_some(const char *directory, char *names, size_t capacity);

// MARK: Unix sockets (unix(7))

int clinux_socket(void);
/// A connected pair of stream sockets; nonblocking, close-on-exec.
int clinux_socket_pair(int *one, int *other);
int clinux_bind(int socket, const char *path);
int clinux_connect(int socket, const char *path);
/// Notifies the service manager that started this process, if any, and forgets its address, so that no
/// child speaks in this process's name; only while there is one thread (sd_notify(3)).
int clinux_notify(const char *text);
int clinux_accept(int socket);
int clinux_peer(int socket, uint32_t *user, int32_t *pid);
/// Frees a range of a file, whose size stays (fallocate(2)).
int clinux_punch_hole(int descriptor, int64_t offset, int64_t length);
/// The start of the next data or hole at or after `offset` (lseek(2)).
int64_t clinux_seek_data(int descriptor, int64_t offset);
int64_t clinux_seek_hole(int descriptor, int64_t offset);

/// Sends without SIGPIPE; `descriptor` -1: none, `second` -1: only one.
int64_t clinux_send(
    int socket, const void *bytes, size_t count, int descriptor, int second);
/// Receives; at most two descriptors are kept (else -1), more are closed. `lost`: whether a descriptor was
/// lost, as this process has reached its limit of open ones.
int64_t clinux_receive(
    int socket, void *bytes, size_t capacity, int *descriptor, int *second, bool *lost);

// MARK: Dynamic libraries

/// dlopen(3) and dlsym(3): for dynamically linked executables only.
void *clinux_library_open(const char *name, const char **problem);
void *clinux_library_symbol(void *library, const char *name);
void clinux_library_close(void *library);

/// The commit of this build; empty if unknown.
const char *clinux_commit(void);
