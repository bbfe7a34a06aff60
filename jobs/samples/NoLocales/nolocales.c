// Replaces ICU's data, 30 MB of names, calendars and collations that no sample job reads. A program that
// needs some of it gets an error message and exits.
//
// ICU_DATA is the name of the data in the toolchain's ICU (.ci/icu-data). The linker takes this one, as it
// comes before the library's; `--wrap` redirects all functions here that would open a part of it.

#include "nolocales.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Without the header that ICU checks.
const char ICU_DATA[64] = {0};

static _Noreturn void missing(const char *kind, const char *name) {
  const char *parts[] = {
      "Fatal error: ", name ? name : "a part", kind ? "." : "", kind ? kind : "",
      " of ICU's data is missing, as formatting by locale needs a build with `make release ICU=1`\n"};
  for (int part = 0; part < 5; part++) {
    if (write(2, parts[part], strlen(parts[part])) < 0) break;
  }
  abort();
}

void *__wrap_swift_udata_open(
    const char *path, const char *kind, const char *name, int32_t *status) {
  (void)path, (void)status;
  missing(kind, name);
}

void *__wrap_swift_udata_openChoice(
    const char *path, const char *kind, const char *name, void *accepts, void *context,
    int32_t *status) {
  (void)path, (void)accepts, (void)context, (void)status;
  missing(kind, name);
}
