// Linked into everything that is built for the address sanitizer.

// Here and not in the environment, which tests and jobs give their processes as they like. Crashes
// act as always, because some tests make a process crash on purpose. Leaks are not looked for: that
// needs ptrace(2), which many containers forbid, and memory that Swift keeps to the end is not a leak.
const char *__asan_default_options(void) {
  return "detect_leaks=0 handle_segv=0 handle_sigbus=0 handle_sigill=0 handle_sigfpe=0 "
         "handle_abort=0";
}
