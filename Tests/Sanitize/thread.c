// Linked into every build for the thread sanitizer: the facts that it cannot see by itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Here and not in the environment, which tests and jobs give their processes as they like. Crashes
// act as always, because some tests make a process crash on purpose.
const char *__tsan_default_options(void) {
  return "halt_on_error=1 report_thread_leaks=0 handle_segv=0 handle_sigbus=0 handle_sigill=0 "
         "handle_sigfpe=0 handle_abort=0";
}

// Apple's sample of a continued task shares a plain variable with its expiration handler, and is
// compiled as it is printed.
const char *__tsan_default_suppressions(void) {
  return "race:handleDialogConfirmation\n";
}

// MARK: Mutex
//
// Swift's Mutex takes its lock with an atomic operation inlined where it is used, which the sanitizer
// sees. If that fails, it continues inside libswiftSynchronization, which is not built for the
// sanitizer: it would see no lock there, and report every access within as a race. So these two
// functions of that library are told apart here: they do what the library does, and say so.

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void mutex_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void mutex_unlock(SELF) __asm__(UNLOCK);

SWIFT void mutex_lock(uint32_t thread, SELF) {
  typedef SWIFT void function(uint32_t, SELF);
  ((function *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void mutex_unlock(SELF) {
  typedef SWIFT void function(SELF);
  __tsan_release(mutex);
  ((function *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

// MARK: vfork
//
// The sanitizer's vfork(2) is fork(2), and a child that has a copy of the memory cannot tell its
// parent why a program was not started. This is the system call itself: meanwhile the child runs as
// the thread that called, which is stopped.

pid_t vfork_failed(int number) {
  errno = number;
  return -1;
}

#if defined(__x86_64__)
__asm__(".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "  popq %rdi\n"  // The child returns first and uses the stack: what is there is lost.
        "  movl $58, %eax\n"
        "  syscall\n"
        "  pushq %rdi\n"
        "  cmpl $-4095, %eax\n"
        "  jae 1f\n"
        "  ret\n"
        "1: negl %eax\n"
        "  movl %eax, %edi\n"
        "  jmp vfork_failed\n"
        ".size vfork, .-vfork\n");
#else
#error "vfork(2) for the thread sanitizer is written for x86-64 only"
#endif

/// The sanitizer's would end its work for the parent, too.
void _exit(int status) {
  while (1) syscall(SYS_exit_group, status);
}
