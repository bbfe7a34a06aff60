import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// What a full disk costs: refusals while it is full, and nothing else.
@Suite struct FullDiskTests {
  private let workshop: Workshop
  private let disk: SmallDisk

  init() throws {
    workshop = try Workshop(slots: 2)
    disk = try SmallDisk(workshop, size: "4m")
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\necho done\nexit 7")
  }

  private func object(_ number: UInt64) throws -> JobStatus {
    try Workshop.object(try disk.run("jobrun show \(number) --json").output)
  }

  @Test func `submissions are refused in words, running jobs go on, and room is all it needs`()
    throws
  {
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try runner
    try disk.fill()
    let refused = try disk.run("jobrun submit gated --detach")
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.errors.contains("no space is left"), "\(refused.errors)")
    #expect(try object(1).state == .running)
    #expect(try disk.run("jobrun show 2").status == 66)
    let waiting = try disk.start("jobrun wait 1")
    let opened = try workshop.openGate()
    try disk.empty()
    #expect(try waiting.wait().status == 7)
    #expect(try object(1).outcome == .failed)
    #expect(try disk.run("jobrun submit gated").status == 7)
    #expect(try self.runner == runner)
    withExtendedLifetime(opened) {}
  }

  /// The runner that serves, which must be the same all the time.
  private var runner: Int32 {
    get throws {
      let text = try String(contentsOfFile: disk.home + "/state/runner.lock", encoding: .utf8)
      return try #require(text.split(separator: "\n").last.flatMap { Int32($0) })
    }
  }

  @Test(arguments: [false, true])
  func `a cancellation that cannot be stored is known to the next runner`(isNow: Bool) throws {
    #expect(try disk.run("jobrun submit gated --detach --grace 100ms").status == 0)
    try workshop.awaitReady(1)
    let runner = try runner
    let client = ProtocolTests.RawClient(
      try UnixConnection(connectingTo: disk.home + "/run/socket"))
    try disk.fill()
    try client.send(RequestLine(id: 1, .cancel(.one(.number(JobNumber(1))), now: isNow)))
    #expect(try client.line().contains("\"ok\""))
    // At once: what is answered must be known to somebody else by then.
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try disk.empty()
    #expect(try disk.run("jobrun wait 1").status == 130)
    let job = try object(1)
    #expect(job.outcome == .cancelled && job.stopReason?.code == .user, "\(job)")
  }

  /// The disk has 4 MB, of which a log may take a half.
  @Test func `a log that began on a full disk gets its share when there is room again`() throws {
    try workshop.define(
      "wordy", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nseq 150000; sleep 0.2")
    #expect(try disk.run("jobrun list").status == 0)
    try disk.fill()
    try disk.run("truncate -s -700K \"$JOBRUN_HOME/ballast\"")
    let submitted = try disk.run("jobrun submit wordy --detach")
    #expect(submitted.status == 0, "\(submitted)")
    try workshop.awaitReady(1)
    try disk.empty()
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1").status == 0)
    let log = try disk.run("jobrun log 1").output
    #expect(log.hasPrefix("1\n2\n") && log.hasSuffix("\n150000\n"))
    #expect(!log.contains("left out here"))
    withExtendedLifetime(opened) {}
  }

  /// The worker makes its record as long as a block of the disk, so that its end needs another one.
  @Test func `a supervisor waits for room to write how its job ended`() throws {
    try workshop.define(
      "greedy",
      """
      head -c 4050 /dev/zero | tr '\\0' x >> "$JOBRUN_HOME/state/runs/1.1"
      cat /dev/zero > "$JOBRUN_HOME/ballast" 2> /dev/null
      echo x > "$READY.1"
      exit 7
      """, #","limit":"20m""#)
    let submitted = try disk.run("jobrun submit greedy --detach")
    try #require(submitted.status == 0, "\(submitted)")
    try workshop.awaitReady(1)
    try workshop.sandbox.waitForEnd(ofProcessesRunning: "jobs/greedy")
    #expect(try object(1).state == .running)
    // What is decided of it now comes too late to change how it ended.
    #expect(try disk.run("jobrun cancel 1").status == 0)
    try disk.empty()
    #expect(try disk.run("jobrun wait 1").status == 7)
    let job = try object(1)
    #expect(job.outcome == .failed && job.exitCode == 7)
  }

  @Test func `a job is not replaced by one that cannot be stored`() throws {
    for name in ["running", "waiting"] {
      #expect(try disk.run("jobrun submit org.example.workshop.gated.\(name) --detach").status == 0)
      if name == "running" { try workshop.awaitReady(1) }
    }
    try workshop.awaitReady(2)
    #expect(try disk.run("jobrun submit org.example.workshop.gated.queued --detach").status == 0)
    try disk.fill()
    for (name, flags) in [("running", "--if-exists replace"), ("queued", "")] {
      let refused = try disk.run(
        "jobrun submit org.example.workshop.gated.\(name) \(flags) --detach")
      #expect(refused.status == 73, "\(refused)")
      #expect(refused.errors.contains("cannot be stored"), "\(refused.errors)")
    }
    #expect(try object(1).state == .running)
    #expect(try object(3).state == .queued)
    try disk.empty()
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1 2 3").status == 7)
    #expect(try [object(1), object(3)].allSatisfy { $0.outcome == .failed })
    withExtendedLifetime(opened) {}
  }

  @Test func `an end that cannot be stored is not told`() throws {
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let feed = try disk.start("exec jobrun feed")
    try feed.wait(for: "snapshot")
    try disk.fill()
    let opened = try workshop.openGate()
    try feed.wait(for: "it has ended, and that cannot be stored")
    feed.signal(SIGINT)
    let job = try object(1)
    #expect(job.state == .running && job.outcome == nil && job.exitCode == nil)
    #expect(job.warning?.contains("cannot be stored") == true, "\(job.warning ?? "")")
    #expect(try disk.run("jobrun list").output.contains("running"))
    try disk.empty()
    #expect(try disk.run("jobrun wait 1").status == 7)
    #expect(try object(1).outcome == .failed)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job whose end finds no room is told as that, and forgetting it frees its log`()
    throws
  {
    try workshop.define(
      "wordy", "seq 150000; echo x > \"$READY.$JOBRUN_JOB\"; read line < \"$GATE\"; exit 7")
    #expect(try disk.run("jobrun submit wordy --detach").status == 0)
    try workshop.awaitReady(1)
    let feed = try disk.start("exec jobrun feed")
    try feed.wait(for: "snapshot")
    try disk.fill()
    let opened = try workshop.openGate()
    try feed.wait(for: "it has ended, and that cannot be stored")
    feed.signal(SIGINT)
    let cancelled = try disk.run("jobrun cancel 1")
    #expect(cancelled.status == 66)
    #expect(cancelled.errors.contains("jobrun forget 1 removes its log"), "\(cancelled.errors)")
    let forgotten = try disk.run("jobrun forget 1")
    #expect(forgotten.status == 0, "\(forgotten)")
    #expect(try disk.run("jobrun show 1").status == 66)
    #expect(try disk.run("jobrun run -- true").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `an end is read where nothing can be written`() throws {
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let runs = "\"$JOBRUN_HOME/state/runs\""
    let mounted = try disk.run("mount --bind \(runs) \(runs) && mount -o remount,bind,ro \(runs)")
    try #require(mounted.status == 0, "\(mounted)")
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1").status == 7)
    #expect(try object(1).outcome == .failed)
    #expect(try disk.run("umount \(runs)").status == 0)
    // What could not be removed there is removed once it can be.
    for name in ["1.1", "1.1.order"] { try WaitFor.noFile("\(disk.home)/state/runs/\(name)") }
    withExtendedLifetime(opened) {}
  }

  /// Room for the page, the record, the folder and the order, and none for the log.
  @Test func `a job whose supervisor finds no room begins when there is some`() throws {
    let workshop = try Workshop()
    let disk = try SmallDisk(workshop, size: "4m,nr_inodes=200")
    try workshop.define("gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"")
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let filled = try disk.run(
      """
      mkdir "$JOBRUN_HOME/many" && cd "$JOBRUN_HOME/many"
      i=0; while touch $i; do i=$((i+1)); done 2> /dev/null
      rm 1 2 3 4
      """)
    #expect(filled.status == 0, "\(filled)")
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try WaitFor.file(disk.home + "/state/runner.log", contains: "no job can be started")
    // It is tried again every second, and keeps its warning meanwhile.
    for _ in 1...30 {
      let job = try Workshop.object(try disk.run("jobrun show 2 --json").output)
      #expect(job.state == .launching, "\(job)")
      #expect(job.warning?.contains("No space left on device") == true, "\(job)")
    }
    #expect(try disk.run("rm -r \"$JOBRUN_HOME/many\"").status == 0)
    try workshop.awaitReady(2)
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1 2").status == 0)
    #expect(try Workshop.object(try disk.run("jobrun show 2 --json").output).attempt == 1)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job that waited is not said to be cancelled before that is stored`() throws {
    for _ in 1...3 { #expect(try disk.run("jobrun submit gated --detach").status == 0) }
    try disk.fill()
    let refused = try disk.run("jobrun cancel 3")
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.errors.contains("cannot be stored yet: no space is left"), "\(refused.errors)")
    try disk.empty()
    #expect(try disk.run("jobrun wait 3").status == 130)
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1 2").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `a runner that dies on a full disk leaves nothing undone for the next one`() throws {
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    try disk.fill()
    kill(try runner, SIGKILL)
    try WaitFor.end(ofProcess: try runner)
    let opened = try workshop.openGate()
    try WaitFor.file(disk.home + "/state/runs/1.1", contains: "ended exit 7")
    try disk.empty()
    #expect(try disk.run("jobrun wait 1").status == 7)
    withExtendedLifetime(opened) {}
  }
}
