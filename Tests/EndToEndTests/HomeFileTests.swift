import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Files of the runner that are removed or replaced while it works.
@Suite struct HomeFileTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }
  private var socket: String { workshop.sandbox.home + "/run/socket" }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated",
      "echo $JOBRUN_ATTEMPT >> \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
  }

  /// Both jobs end as they should, each having run once.
  private func finish() throws {
    let opened = try workshop.openGate()
    for number in [1, 2] {
      #expect(try workshop.jobrun("wait", "\(number)").status == 7)
      let runs = try String(
        contentsOfFile: workshop.sandbox.path("ready.\(number)"), encoding: .utf8)
      #expect(runs == "1\n")
    }
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: ["removed", "replaced"])
  func `a runner whose lock is gone leaves, and the next one takes its jobs`(fate: String) throws {
    let first = try RestartTests.runner(workshop)
    let lock = try Data(contentsOf: URL(fileURLWithPath: state + "/runner.lock"))
    if fate == "replaced" {
      try lock.write(to: URL(fileURLWithPath: state + "/runner.lock"), options: .atomic)
    } else {
      try FileManager.default.removeItem(atPath: state + "/runner.lock")
    }
    #expect(try workshop.jobrun("list").status == 0)
    try WaitFor.end(ofProcess: first)
    #expect(try RestartTests.runner(workshop) != first)
    try finish()
    // In any case, there is one runner with both jobs.
    let log = try String(contentsOfFile: state + "/runner.log", encoding: .utf8)
    #expect(
      log.contains(
        "runner.lock was removed or replaced; exiting, and jobs keep running"), "\(log)")
  }

  @Test(arguments: [["list"], ["show", "1"], ["runner", "restart"]])
  func `a socket that was removed is made again`(command: [String]) throws {
    let runner = try RestartTests.runner(workshop)
    for _ in 1...3 {
      try FileManager.default.removeItem(atPath: socket)
      try WaitFor.file(socket)
    }
    #expect(try workshop.sandbox.run("jobrun", command).status == 0)
    if command.count < 2 { #expect(try RestartTests.runner(workshop) == runner) }
    try finish()
  }

  @Test func `a database behind a link stays where it is, and its link, too`() throws {
    let workshop = try Workshop()
    #expect(try workshop.jobrun("run", "true").status == 0)
    try workshop.killRunner()
    let state = workshop.sandbox.home + "/state"
    let disk = workshop.sandbox.path("disk")
    let moved = try workshop.sandbox.run(
      "sh",
      [
        "-c",
        "mkdir -m 700 '\(disk)'; mv '\(state)'/jobrun.db* '\(disk)'; ln -s '\(disk)/jobrun.db' '\(state)'",
      ])
    #expect(moved.status == 0, "\(moved)")
    #expect(try workshop.jobrun("run", "true").status == 0)
    #expect(try workshop.show(2).outcome == .succeeded)
    #expect(try workshop.jobrun("runner", "status").output.contains("removed or replaced") == false)
    try workshop.killRunner()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk).sorted() == [
        "jobrun.db", "jobrun.db-wal",
      ])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: state + "/jobrun.db") == disk
        + "/jobrun.db")
    #expect(try workshop.show(1).outcome == .succeeded)
  }

  @Test func `a socket that was replaced by another file is made again`() throws {
    let runner = try RestartTests.runner(workshop)
    // In one step: a missing file may already have been recreated.
    try Data().write(to: URL(fileURLWithPath: socket), options: .atomic)
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try RestartTests.runner(workshop) == runner)
    try finish()
  }

  @Test(arguments: ["", "/nowhere/socket\n1\n", "x"])
  func `a lock with other words in it gets its own back`(words: String) throws {
    let runner = try RestartTests.runner(workshop)
    let file = try #require(FileHandle(forUpdatingAtPath: state + "/runner.lock"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Array(words.utf8))
    try file.close()
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try RestartTests.runner(workshop) == runner)
    try finish()
  }

  @Test(
    arguments: [["jobrun.db"], ["jobrun.db-wal"], ["jobrun.db", "jobrun.db-wal"]], [true, false])
  func `a store that is removed or replaced while the runner works is written anew`(
    files: [String], isReplaced: Bool
  ) throws {
    try workshop.define("quick", "exit 3")
    // In one step: the repair of the first file takes away the second one for a moment.
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    for file in files {
      let path = "\(state)/\(file)"
      if isReplaced {
        try Data(repeating: 0x5A, count: 9_000)
          .write(to: URL(fileURLWithPath: path), options: .atomic)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    kill(runner, SIGCONT)
    // The message comes after the repair.
    try WaitFor.file(
      state + "/runner.log", contains: "were removed or replaced; they were written anew")
    #expect(try workshop.jobrun("cancel", "2").status == 0)
    try workshop.killRunner()
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(2).outcome == .cancelled)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    // A runner that does not know the lost store's last number starts beyond the covered ones.
    let given = try workshop.submit("quick").number.value
    #expect([3, 1002].contains(given), "\(given)")
    withExtendedLifetime(opened) {}
  }

  /// A library removes the file just when it, or its log, was opened: before a watch is possible.
  @Test(arguments: ["jobrun.db-wal", "jobrun.db"])
  func `a store that is removed in the moment when it is opened is written anew`(
    opened: String
  ) throws {
    let isAtStart = opened == "jobrun.db-wal"
    let trigger = workshop.sandbox.path("trigger")
    let library = workshop.sandbox.path("removing.so")
    try StubLibrary.build(
      text: """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdarg.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int open(const char *path, int flags, ...) {
          va_list rest;
          va_start(rest, flags);
          int mode = va_arg(rest, int);
          va_end(rest);
          int file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
          const char *end = strstr(path, "/state/\(opened)");
          if (file >= 0 && end && !strcmp(end, "/state/\(opened)") && !unlink("\(trigger)"))
            unlink("\(state)/jobrun.db");
          return file;
        }
        int open64(const char *, int, ...) __attribute__((alias("open")));
        """, at: library)
    try workshop.killRunner()
    if isAtStart { try workshop.sandbox.write("", to: "trigger") }
    #expect(try workshop.jobrun("list", environment: ["LD_PRELOAD": library]).status == 0)
    if !isAtStart {
      try workshop.sandbox.write("", to: "trigger")
      try FileManager.default.removeItem(atPath: state + "/jobrun.db")
    }
    try WaitFor.noFile(trigger)
    try WaitFor.file(state + "/jobrun.db", within: .seconds(30))
    try workshop.killRunner()
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(2).state == .queued)
  }

  @Test func `a log with an endless number in its name keeps no job from starting`() throws {
    for name in ["1152921504606846976.log", "18446744073709551615.log", "9007199254740991.log"] {
      try Data().write(to: URL(fileURLWithPath: "\(state)/logs/\(name)"))
    }
    try workshop.killRunner()
    #expect(try workshop.submit("gated").number.value == 3)
    try finish()
  }
}
