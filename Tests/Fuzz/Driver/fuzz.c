#include "CFuzzer.h"

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*reader)(const uint8_t *, size_t));

int fuzz(int argc, char **argv, int (*reader)(const uint8_t *, size_t)) {
  return LLVMFuzzerRunDriver(&argc, &argv, reader);
}
