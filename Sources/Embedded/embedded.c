// What of Swift's runtime the C library has nearly, for Embedded Swift.

#include "glibc.h"

static int argument_count;
static char **arguments;

// Embedded Swift's main(3) keeps nothing.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int embedded_argument_count(void) { return argument_count; }
char **embedded_arguments(void) { return arguments; }

// How the standard library reads a floating-point number: what follows it, and its value. Nothing that is
// built so sets a locale.
const char *_swift_stdlib_strtod_clocale(const char *text, double *value) {
  char *rest;
  *value = strtod(text, &rest);
  return rest;
}
