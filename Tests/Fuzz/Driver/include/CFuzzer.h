#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Gives `reader` one input after the other; the exit code. See LLVM's libFuzzer, "as a library".
int fuzz(int argc, char **argv, int (*reader)(const uint8_t *bytes, size_t count));

#endif
