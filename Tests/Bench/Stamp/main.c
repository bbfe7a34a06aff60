// A job that does nothing but say when its first instruction ran: it writes CLOCK_MONOTONIC in
// nanoseconds, in decimal, to the FIFO or file named by its first argument. In C, so that what is
// measured is the way to it and not the start of a larger runtime.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (count < 2) return 64;
  char text[32];
  int length =
      snprintf(text, sizeof text, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
  int file = open(arguments[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, text, length) != length) return 1;
  return 0;
}
