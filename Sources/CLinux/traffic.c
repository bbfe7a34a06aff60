#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// A BPF program (bpf(2)) that counts the bytes that the processes of a control group send. It is loaded once; the
// kernel stores a count with each group that it is attached to.
// The numbers are those of linux/bpf.h, which not every C library provides.

enum { map_create = 0, map_lookup = 1, load = 5, attach = 8 };
enum { storage_of_group = 19, program_of_group = 8, egress = 1, several = 2, local_storage = 81, loopback = 1 };

struct step {
  uint8_t code;
  uint8_t target : 4, source : 4;  // registers; the order of the bits is that of the compiler, as in linux/bpf.h
  int16_t offset;
  int32_t value;
};

static int bpf(int command, void *attributes, unsigned size) {
  long result = syscall(SYS_bpf, command, attributes, size);
  return result < 0 ? -errno : (int)result;
}

int clinux_traffic_map(void) {
  struct {
    uint32_t type, key, value, entries, flags;
  } map = {storage_of_group, sizeof(uint64_t), sizeof(uint64_t), 0, 0};
  return bpf(map_create, &map, sizeof map);
}

int clinux_traffic_program(int map) {
  const struct step steps[] = {
      {0xbf, 6, 1, 0, 0},              // r6 = the packet
      {0x61, 7, 6, 40, 0},             // r7 = its interface
      {0x15, 7, 0, 6, loopback},       // packets that stay on the machine are not counted
      {0x18, 1, 1, 0, map}, {0, 0, 0, 0, 0},
      {0xb7, 2, 0, 0, 0},
      {0x85, 0, 0, 0, local_storage},  // r0 = the count of this group
      {0x61, 7, 6, 0, 0},              // r7 = the packet's length
      {0xdb, 0, 7, 0, 0},              // *r0 += r7, atomically
      {0xb7, 0, 0, 0, 1},              // let it pass
      {0x95, 0, 0, 0, 0},
  };
  struct {
    uint32_t type, count;
    uint64_t steps, licence;
    uint32_t log_level, log_size;
    uint64_t log;
    uint32_t version, flags;
    char name[16];
    uint32_t interface, attached;
  } program;
  memset(&program, 0, sizeof program);
  program.type = program_of_group;
  program.count = sizeof steps / sizeof *steps;
  program.steps = (uintptr_t)steps;
  program.licence = (uintptr_t)"GPL";
  program.attached = egress;
  return bpf(load, &program, sizeof program);
}

int clinux_traffic_count(int program, const char *group) {
  int folder = open(group, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -errno;
  struct {
    uint32_t target, program, type, flags;
  } attachment = {(uint32_t)folder, (uint32_t)program, egress, several};
  int result = bpf(attach, &attachment, sizeof attachment);
  close(folder);
  return result;
}

int clinux_traffic_sent(int map, uint64_t group, uint64_t *bytes) {
  struct {
    uint32_t map, unused;
    uint64_t key, value, flags;
  } request = {(uint32_t)map, 0, (uintptr_t)&group, (uintptr_t)bytes, 0};
  return bpf(map_lookup, &request, sizeof request);
}
