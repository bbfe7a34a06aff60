// The functions of libarchive that the job calls, each forwarded to the library, which is loaded when an
// archive is started.

#include "lazy_archive.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

static void *library;

#define HAND_ON(result, name, parameters, ...)                     \
  __attribute__((visibility("hidden"))) result name parameters {   \
    static result(*real) parameters;                               \
    if (!real) *(void **)&real = dlsym(library, #name);            \
    return real(__VA_ARGS__);                                      \
  }
#define ALL(CASE)                                                                              \
  CASE(void *, archive_write_new, (void))                                                      \
  CASE(int, archive_write_set_format_pax_restricted, (void *archive), archive)                 \
  CASE(int, archive_write_set_format_zip, (void *archive), archive)                            \
  CASE(int, archive_write_add_filter_gzip, (void *archive), archive)                           \
  CASE(int, archive_write_add_filter_zstd, (void *archive), archive)                           \
  CASE(int, archive_write_set_filter_option,                                                   \
       (void *archive, const char *filter, const char *name, const char *value), archive,      \
       filter, name, value)                                                                    \
  CASE(int, archive_write_set_bytes_per_block, (void *archive, int bytes), archive, bytes)     \
  CASE(int, archive_write_set_bytes_in_last_block, (void *archive, int bytes), archive, bytes) \
  CASE(int, archive_write_open_fd, (void *archive, int descriptor), archive, descriptor)       \
  CASE(int, archive_write_header, (void *archive, void *entry), archive, entry)                \
  CASE(ptrdiff_t, archive_write_data, (void *archive, const void *bytes, size_t count),        \
       archive, bytes, count)                                                                  \
  CASE(int, archive_write_close, (void *archive), archive)                                     \
  CASE(int, archive_write_fail, (void *archive), archive)                                      \
  CASE(int, archive_write_free, (void *archive), archive)                                      \
  CASE(int, archive_errno, (void *archive), archive)                                           \
  CASE(const char *, archive_error_string, (void *archive), archive)                           \
  CASE(void *, archive_entry_new, (void))                                                      \
  CASE(void *, archive_entry_clear, (void *entry), entry)                                      \
  CASE(void, archive_entry_free, (void *entry), entry)                                         \
  CASE(void, archive_entry_copy_stat, (void *entry, const void *status), entry, status)        \
  CASE(void, archive_entry_copy_pathname, (void *entry, const char *path), entry, path)        \
  CASE(void, archive_entry_copy_symlink, (void *entry, const char *target), entry, target)     \
  CASE(void, archive_entry_copy_hardlink, (void *entry, const char *other), entry, other)      \
  CASE(void, archive_entry_set_size, (void *entry, int64_t size), entry, size)

ALL(HAND_ON)

#define NAME(result, name, ...) #name,

const char *lazy_archive_load(void) {
  if (library) return NULL;
  void *opened = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!opened) return dlerror();
  const char *names[] = {ALL(NAME)};
  for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
    if (!dlsym(opened, names[place])) return dlerror();
  }
  library = opened;
  return NULL;
}
