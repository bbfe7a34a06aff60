import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The runner may not open the descriptor with which it would watch a supervisor, and later it may.
@Suite struct UnwatchableTests {
  private let workshop: Workshop
  /// While this file exists, watches fail.
  private let shortage: String

  init() throws {
    workshop = try Workshop()
    shortage = workshop.sandbox.path("shortage")
    try workshop.define(
      "gated", "echo x >> \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
    try workshop.define("quick", "echo x >> \"$READY.$JOBRUN_JOB\"; exit 7")
    try StubLibrary.build(text: Self.library, at: workshop.sandbox.path("scarce.so"))
  }

  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/syscall.h>
    int access(const char *path, int mode);
    long syscall(long number, long a, long b, long c, long d, long e, long f) {
      static long (*real)(long, ...);
      if (!real) real = dlsym(RTLD_NEXT, "syscall");
      if (number == SYS_pidfd_open && !strcmp(program_invocation_short_name, "jobrund") &&
          !access(getenv("SHORTAGE"), 0)) {
        errno = EMFILE;
        return -1;
      }
      return real(number, a, b, c, d, e, f);
    }
    """

  private var environment: [String: String] {
    ["LD_PRELOAD": workshop.sandbox.path("scarce.so"), "SHORTAGE": shortage]
  }

  private func begin() throws { try Data().write(to: URL(fileURLWithPath: shortage)) }

  private func end() throws { try FileManager.default.removeItem(atPath: shortage) }

  /// How often the worker of a job began.
  private func starts(of number: Int) throws -> Int {
    try File.readAll(workshop.sandbox.path("ready.\(number)")).count { $0 == 0x0A }
  }

  @Test func `a job goes on that cannot be watched, and is watched as soon as it can be`() throws {
    try begin()
    _ = try workshop.submit("gated", environment: environment)
    try workshop.awaitReady(1)
    try WaitFor.file(
      workshop.sandbox.home + "/state/runner.log", contains: "job 1 cannot be watched yet")
    try end()
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(1)
    #expect(job.exitCode == 7 && job.attempt == 1, "\(job)")
    #expect(try starts(of: 1) == 1)
    withExtendedLifetime(opened) {}
  }

  @Test func `one that ended meanwhile is told with its true end`() throws {
    try begin()
    _ = try workshop.submit("quick", environment: environment)
    try workshop.awaitReady(1)
    try end()
    let job = try workshop.waitForEnd(1)
    #expect(job.exitCode == 7 && job.attempt == 1, "\(job)")
    #expect(try starts(of: 1) == 1)
  }

  @Test func `what follows an end goes on, too`() throws {
    let followed = workshop.sandbox.path("followed")
    let command = "echo begun >> '\(followed)'; sleep 0.2; echo done >> '\(followed)'"
    _ = try workshop.submit("gated", "--on-end", command, environment: environment)
    // By then its own supervisor is watched; else its end, and with that the command, would be put off.
    try workshop.awaitRunning(1)
    try begin()
    let opened = try workshop.openGate()
    try WaitFor.file(
      workshop.sandbox.home + "/state/runner.log", contains: "cannot be started yet",
      within: .seconds(30))
    try end()
    let text = try WaitFor.file(followed, contains: "done", within: .seconds(30))
    #expect(text == "begun\ndone\n")
    #expect(try workshop.show(1).warning == nil)
    withExtendedLifetime(opened) {}
  }

  @Test func `a runner that cannot watch what runs leaves it alone till it can`() throws {
    _ = try workshop.submit("gated", environment: environment)
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try begin()
    let shown = try workshop.jobrun("show", "1", "--json", environment: environment)
    #expect(try Workshop.object(shown.output).state == .running, "\(shown)")
    try end()
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(1)
    #expect(job.exitCode == 7 && job.attempt == 1, "\(job)")
    withExtendedLifetime(opened) {}
  }
}
