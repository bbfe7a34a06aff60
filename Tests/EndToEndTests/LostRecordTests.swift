import Foundation
import Glibc
import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The run record of a job was changed while there was no runner.
@Suite struct LostRecordTests {
  private let workshop: Workshop
  private var record: String { workshop.sandbox.home + "/state/runs/1.1" }

  init() throws {
    workshop = try Workshop()
    try workshop.defineGated("gated")
  }

  enum Damage: CaseIterable {
    case removed, replaced, folder, link, pipe
  }

  private func damage(_ kind: Damage) throws {
    try File.remove(record)
    switch kind {
    case .removed: break
    case .replaced: try Data().write(to: URL(fileURLWithPath: record))
    case .folder: try File.makeDirectories(record + "/deeper")
    case .link: try File.link(record, to: "/etc/passwd")
    case .pipe: #expect(unsafe mkfifo(record, 0o600) == 0)
    }
  }

  @Test(arguments: Damage.allCases)
  func `a job that ran is interrupted and not run once more`(_ kind: Damage) throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    try damage(kind)
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("ready.1"))
    #expect(try workshop.jobrun("wait", "1").status == 76)
    let job = try workshop.show(1)
    #expect(job.attempt == 1 && job.stopReason?.code == .supervisorLost)
    #expect(!File.exists(workshop.sandbox.path("ready.1")))
    #expect(workshop.strays() == [])
  }

  /// The runner died before it could store that the job had begun.
  @Test(arguments: [Damage.removed, .replaced])
  func `a job that runs is not run once more, though only its processes tell that it began`(
    _ kind: Damage
  ) throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let store = try Store(path: workshop.sandbox.home + "/state/jobrun.db")
    var row = try #require(try store.job(JobNumber(1)))
    row.state = .launching
    try store.transaction(.full) { () throws(StoreError) in try store.update(row) }
    store.close()
    try damage(kind)
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("ready.1"))
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(try workshop.show(1).attempt == 1)
    #expect(!File.exists(workshop.sandbox.path("ready.1")))
    #expect(workshop.strays() == [])
  }

  /// A library makes every runner trap that opens the record.
  @Test(arguments: ["1.1", "1.1.order"])
  func `what two runners trapped at is set aside by the third`(name: String) throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let library = workshop.sandbox.path("trap.so")
    try StubLibrary.build(
      text: """
        #define _GNU_SOURCE
        #include <errno.h>
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
          const char *end = strstr(path, "/runs/\(name)");
          if (end && !strcmp(end, "/runs/\(name)")
              && !strcmp(program_invocation_short_name, "jobrund") && !access(path, F_OK))
            __builtin_trap();
          return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
        }
        """, at: library)
    if name == "1.1.order" {
      for ending in ["", "-wal"] {
        try FileManager.default.removeItem(
          atPath: workshop.sandbox.home + "/state/jobrun.db\(ending)")
      }
    }
    let environment = ["LD_PRELOAD": library]
    let died = try workshop.jobrun("runner", "restart", environment: environment)
    #expect(died.status != 0 && !died.errors.contains("was started"), "\(died)")
    // A client may have met a dying runner and started another.
    let second = try workshop.jobrun("list", environment: environment)
    let served = try workshop.jobrun("list", environment: environment)
    #expect(second.status == 0 || served.status == 0, "\(second)\n\(served)")
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("2 runners died while they read") && status.contains("/runs/\(name)"))
    let kept = try File.names(in: workshop.sandbox.home + "/state")
    #expect(kept.contains { $0.hasPrefix("\(name).broken-") }, "\(kept)")
    if name == "1.1" {
      #expect(try workshop.jobrun("wait", "1").status == 76)
      #expect(workshop.strays() == [])
    }
  }

  /// A library makes the machine run out of descriptors whenever the record should be made, for a while.
  @Test func `one that never began is not given up because it cannot be forbidden now`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let started = try #require(RunRecord(parsing: try File.readAll(record)).started)
    try workshop.killRunner()
    for process in [started.shim, started.worker] {
      kill(process.pid, SIGKILL)
      try WaitFor.end(ofProcess: process.pid)
    }
    try File.remove(record)
    try workshop.undoStart(ofPage: 1)
    try File.remove(workshop.sandbox.path("ready.1"))
    try RecoveryTests.storeLaunching(workshop, 1)
    let lack = try workshop.sandbox.write("", to: "lack")
    let library = workshop.sandbox.path("lacking.so")
    try StubLibrary.build(
      text: """
        #define _GNU_SOURCE
        #include <errno.h>
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
          if (flags & O_CREAT && strstr(path, "/runs/1.1") && !access("\(lack)", F_OK)) {
            errno = EMFILE;
            return -1;
          }
          return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
        }
        """, at: library)
    #expect(try workshop.jobrun("list", environment: ["LD_PRELOAD": library]).status == 0)
    try WaitFor.file(
      workshop.sandbox.home + "/state/runner.log",
      contains: "the run record of job 1 cannot be used")
    try File.remove(lack)
    try workshop.awaitReady(1)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    withExtendedLifetime(opened) {}
  }

  /// A kill does not count as a crash at a record: no number of kills sets a record aside.
  @Test func `a runner that is killed again and again keeps its records`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    for _ in 1...4 {
      try workshop.killRunner()
      #expect(try workshop.jobrun("list").status == 0)
    }
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `numbers of an end that no clock shows are not taken for one`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let started = try #require(RunRecord(parsing: try File.readAll(record)).started)
    try workshop.killRunner()
    let file = try File.open(record, [.write, .append])
    let forged = "ended exit 0 cpu 0 rss 0 from 0 to \(Int64.min)\n"
    try file.writeAll(Array(("waited\n" + forged).utf8))
    kill(started.shim.pid, SIGKILL)
    try WaitFor.end(ofProcess: started.shim.pid)
    #expect(try workshop.jobrun("wait", "1").status == 76)
  }

  @Test func `a record that is removed while its job runs does not make it run again`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    // A runner that learns of start and end together needs no record.
    try workshop.feed(until: "started", of: 1)
    try File.remove(record)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(try workshop.show(1).attempt == 1)
    withExtendedLifetime(opened) {}
  }

  @Test func `a folder that cannot be looked into for a while loses no end`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    // A runner that learns of start and end together needs no record.
    try workshop.feed(until: "started", of: 1)
    let started = try #require(RunRecord(parsing: try File.readAll(record)).started)
    let runs = File.parent(of: record)
    try File.rename(runs, to: runs + ".away")
    try File.link(runs, to: runs)  // to itself: following it fails
    kill(started.worker.pid, SIGTERM)
    try WaitFor.end(ofProcess: started.shim.pid)
    #expect(try workshop.show(1).state == .running)
    // It looks once a second, and for a moment there is no folder.
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    try File.remove(runs)
    try File.rename(runs + ".away", to: runs)
    kill(runner, SIGCONT)
    #expect(try workshop.jobrun("wait", "1").status == 1)
    #expect(try workshop.show(1).signal == SIGTERM)
  }

  @Test func `a file with a number that no store gives holds up no job`() throws {
    #expect(try workshop.jobrun("list").status == 0)
    try workshop.killRunner()
    let logs = workshop.sandbox.home + "/state/logs"
    try Data().write(to: URL(fileURLWithPath: "\(logs)/\(UInt64(1) << 60).log"))
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    #expect(try workshop.show(1).outcome == .succeeded)
  }
}
