// Functions of Swift's runtime that Embedded Swift lacks, on nearly equal ones of the C library.

#include "glibc.h"

static int argument_count;
static char **arguments;

// Embedded Swift's main(3) does not keep its arguments.
#ifdef __GLIBC__
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}
#else
#include <sys/random.h>

// musl's constructors get no arguments. The kernel lays out count, arguments, null, environment: no
// argument's address is as low as a count.
__attribute__((constructor)) static void keep_arguments(void) {
  arguments = environ - 1;
  while ((uintptr_t)arguments[-1] != (uintptr_t)argument_count) arguments--, argument_count++;
}

// Seeds the hashes of the standard library.
void arc4random_buf(void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t more = getrandom((char *)bytes + done, count - done, 0);
    if (more > 0) done += (size_t)more;
  }
}
#endif

int embedded_argument_count(void) { return argument_count; }
char **embedded_arguments(void) { return arguments; }

// Parses a floating-point number for the standard library: returns the end of the number and its value.
// Programs built like this never set a locale.
const char *_swift_stdlib_strtod_clocale(const char *text, double *value) {
  char *rest;
  *value = strtod(text, &rest);
  return rest;
}
