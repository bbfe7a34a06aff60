import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The supervisor may not execute a program for want of something, and later it may.
@Suite struct RetriedStartTests {
  private let workshop: Workshop
  private let shortage: String
  private let command: String
  private var home: String { workshop.sandbox.home }

  /// A separate build, whose supervisor loads a library before the system's.
  init() throws {
    workshop = try Workshop()
    try workshop.defineGated("gated")
    shortage = workshop.sandbox.path("shortage")
    command = workshop.sandbox.path("build/jobrun")
    let library = workshop.sandbox.path("scarce.so")
    try StubLibrary.build(text: Self.library(shortage), at: library)
    try workshop.sandbox.write(
      "#!/bin/sh\nLD_PRELOAD='\(library)' exec \"$0.real\" \"$@\"\n", to: "build/jobrun-shim",
      executable: true)
    for (name, copy) in [
      ("jobrun", "jobrun"), ("jobrund", "jobrund"), ("jobrun-helper", "jobrun-helper"),
      ("jobrun-shim", "jobrun-shim.real"),
    ] {
      try workshop.sandbox.copyExecutable(name, to: "build/\(copy)")
    }
  }

  /// While the given file exists, exec or setpgid fails; each attempt appends a byte.
  private static func library(_ shortage: String) -> String {
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <unistd.h>
    static int lacks(const char *what) {
      int file = open(what, O_WRONLY | O_APPEND);
      if (file < 0) return 0;
      if (write(file, "x", 1) != 1) return 0;
      close(file);
      errno = EAGAIN;
      return 1;
    }
    int execve(const char *path, char *const arguments[], char *const environment[]) {
      int (*real)(const char *, char *const[], char *const[]) = dlsym(RTLD_NEXT, "execve");
      return lacks("\(shortage).execve") ? -1 : real(path, arguments, environment);
    }
    int setpgid(pid_t process, pid_t group) {
      int (*real)(pid_t, pid_t) = dlsym(RTLD_NEXT, "setpgid");
      return lacks("\(shortage).setpgid") ? -1 : real(process, group);
    }
    """
  }

  private func jobrun(_ arguments: String...) throws -> TestKit.ChildProcess.Finished {
    try workshop.sandbox.run(command, arguments, environment: workshop.environment)
  }

  @Test func `what is told is the process that runs, not one that was tried before`() throws {
    try workshop.sandbox.write("", to: "shortage.execve")
    #expect(try jobrun("submit", "gated", "--detach").status == 0)
    try WaitFor.file(home + "/state/logs/1.log", contains: "trying again")
    try FileManager.default.removeItem(atPath: shortage + ".execve")
    try workshop.awaitRunning(1)
    let record = RunRecord(parsing: try File.readAll(home + "/state/runs/1.1"))
    let job = try Workshop.object(jobrun("show", "1", "--json").output)
    #expect(job.state == .running && job.pid == record.started?.worker.pid, "\(job)")
    let opened = try workshop.openGate()
    #expect(try jobrun("wait", "1").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `an attempt that is put off begins once in the log`() throws {
    try workshop.define(
      "retried",
      """
      echo "attempt $JOBRUN_ATTEMPT"
      if [ "$JOBRUN_ATTEMPT" = 2 ]; then exit 0; fi
      echo x > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      exit 9
      """, #", "retries": 1"#)
    #expect(try jobrun("submit", "retried", "--detach").status == 0)
    try workshop.awaitReady(1)
    try workshop.sandbox.write("", to: "shortage.setpgid")
    let opened = try workshop.openGate()
    try WaitFor.file(shortage + ".setpgid", contains: "xxx")
    try FileManager.default.removeItem(atPath: shortage + ".setpgid")
    #expect(try jobrun("wait", "1").status == 0)
    let lines = try jobrun("log", "1").output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "attempt 1" && lines[2] == "attempt 2", "\(lines)")
    #expect(lines[1].hasPrefix("jobrun: attempt 2 begins, "), "\(lines)")
    withExtendedLifetime(opened) {}
  }
}
