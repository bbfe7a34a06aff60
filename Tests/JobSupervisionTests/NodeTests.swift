import JobPage
import LinuxSystem
import TestKit
import Testing

struct NodeTests {
  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -SEGV $$", 139), ("exec /nowhere", 127)])
  func `the record has the end, and the engine is told one that fits`(
    _ script: String, _ code: Int32
  ) throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: script)
    #expect(try run.exitCode(of: run.start()) == code)
    let record = try run.record()
    #expect(record.claimed != nil)
    #expect(record.started != nil)
    let mirror = try run.mirror { $0.state == .ended }
    guard case .ended(let end)? = RunRecord.Line(parsing: mirror.line) else {
      Issue.record("the mirror has another line: \(mirror.line)")
      return
    }
    #expect(end == record.ended)
  }

  @Test func `a job that declares that it failed has failed, whatever its exit code`() throws {
    let scratch = try Scratch()
    // The page's field for the outcome.
    let script = "printf '\\002' | dd of=$JOBRUN_PAGE bs=1 seek=1088 conv=notrunc status=none"
    let run = try NodeRun(scratch.path, script: script)
    #expect(try run.exitCode(of: run.start()) == 1)
    #expect(try run.mirror { $0.state == .ended }.snapshot.outcome == .failure)
  }

  @Test func `what the node knows better goes before what was submitted`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "echo $CUDA_VISIBLE_DEVICES $SLURM_JOB_ID $KEPT; test -w $JOBRUN_PAGE",
      environment: ["CUDA_VISIBLE_DEVICES=9", "KEPT=kept", "JOBRUN_PAGE=/elsewhere"])
    let node = try run.start(environment: ["CUDA_VISIBLE_DEVICES=2", "SLURM_JOB_ID=4711"])
    #expect(try run.exitCode(of: node) == 0)
    #expect(try run.log() == "2 4711 kept\n")
    #expect(try run.record().claimed?.job == "4711")
    #expect(try File.names(in: "/dev/shm").allSatisfy { !$0.hasSuffix(run.order.token) })
  }

  @Test func `scripts find the command by its name, and one of their own first`() throws {
    let scratch = try Scratch()
    try File.makeDirectory(scratch.file("bin"))
    let own = scratch.file("bin/jobrun")
    try File.open(own, [.write, .create]).writeAll(Array("#!/bin/sh\n".utf8))
    try File.setPermissions(0o700, own)
    let cases = [
      ("/usr/bin:/bin", "\(File.parent(of: try BuiltProducts.path("jobrun-shim")))/jobrun"),
      ("\(scratch.file("bin")):/usr/bin:/bin", own),
    ]
    for (number, (path, found)) in cases.enumerated() {
      let run = try NodeRun(
        scratch.path, script: "command -v jobrun", number: UInt64(number + 1)
      ) {
        $0.specification.replace(with: ["PATH=\(path)"])
      }
      #expect(try run.exitCode(of: run.start()) == 0)
      #expect(try run.log() == "\(found)\n")
    }
  }

  @Test func `what a job says is in the mirror, with how long ago it was`() throws {
    let scratch = try Scratch()
    let script = """
      printf '\\144' | dd of=$JOBRUN_PAGE bs=1 seek=72 conv=notrunc status=none
      printf '\\012' | dd of=$JOBRUN_PAGE bs=1 seek=64 conv=notrunc status=none
      echo some output; exec sleep 1000
      """
    let run = try NodeRun(scratch.path, script: script)
    let node = try run.start()
    let first = try run.mirror { $0.snapshot.completed == 10 && $0.logBytes == 12 }
    #expect(first.snapshot.total == 100)
    #expect(first.snapshot.title == "A title")
    #expect(first.state == .running)
    #expect(RunRecord.Line(parsing: first.line) == (try run.record().started).map { .started($0) })
    let later = try run.mirror { $0.sequence >= first.sequence + 3 }
    #expect(later.nodeClock > first.nodeClock)
    // Confirmed silence: the node lives and its job does not report.
    #expect(later.reportedAgo > first.reportedAgo)
    #expect(later.advancedAgo >= later.nodeClock - first.nodeClock)
    try run.tell(ringing: node) { $0.isKilled = true }
    #expect(try run.exitCode(of: node) == 137)
  }

  @Test func `who watches it since before it began sees what it says as it says it`() throws {
    let scratch = try Scratch()
    // Each is written after the one before it was seen.
    let script = """
      for count in 012 013 014; do
        printf "\\\\$count" | dd of=$JOBRUN_PAGE bs=1 seek=64 conv=notrunc status=none
        until [ -e "seen.$count" ]; do sleep 0.05; done
      done
      """
    let run = try NodeRun(scratch.path, script: script, pace: 3_600_000)
    try run.tell(ringing: nil) { $0.fastSeconds = 600 }
    try run.start()
    for (count, word) in zip([10, 11, 12] as [UInt64], ["012", "013", "014"]) {
      _ = try run.mirror { $0.snapshot.completed == count }
      try File.writeAtomically([], to: "\(scratch.path)/seen.\(word)")
    }
  }

  @Test func `an order to kill that came before it began is obeyed when it has`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "exec sleep 1000")
    try run.tell(ringing: nil) { $0.isKilled = true }
    #expect(try run.exitCode(of: run.start()) == 137)
    #expect(try run.record().started != nil)
  }

  @Test(arguments: [true, false]) func `it obeys the control page, rung or not`(
    _ rings: Bool
  ) throws {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "trap 'echo told; exit 3' TERM; echo up; while :; do sleep 0.01; done")
    let node = try run.start()
    try WaitFor.file(run.order.log, contains: "up")
    try run.tell(ringing: rings ? node : nil) {
      $0.isStopped = true
      $0.reason = 1
      $0.graceMilliseconds = 60_000
      $0.terminates = true
    }
    #expect(try run.exitCode(of: node) == 3)
    #expect(try run.record().stopCause == .told(1))
    #expect(try run.timesTold() == 1)
  }

  @Test func `one that does not listen is killed when its grace is over, without anybody's help`()
    throws
  {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "trap '' TERM; echo up; while :; do sleep 0.01; done")
    let node = try run.start()
    try WaitFor.file(run.order.log, contains: "up")
    try run.tell(ringing: node) {
      $0.isStopped = true
      $0.reason = 1
      $0.graceMilliseconds = 200
      $0.terminates = true
    }
    #expect(try run.exitCode(of: node) == 137)
    #expect(try run.record().stopCause == .told(1))
  }

  @Test func `what was obeyed is not obeyed again`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path,
      script: "trap 'echo told' TERM; echo up; while [ ! -e go ]; do sleep 0.01; done")
    let node = try run.start()
    try WaitFor.file(run.order.log, contains: "up")
    try run.tell(ringing: node) {
      $0.isStopped = true
      $0.graceMilliseconds = 60_000
      $0.terminates = true
    }
    try WaitFor.file(run.order.log, contains: "told")
    let seen = try run.mirror { _ in true }.sequence
    for _ in 0..<5 { try ProcessDescriptor(node).signal(Signal.user1) }
    _ = try run.mirror { $0.sequence >= seen + 3 }
    try File.open("\(scratch.path)/go", [.write, .create]).writeAll([])
    #expect(try run.exitCode(of: node) == 0)
    #expect(try run.timesTold() == 1)
  }

  @Test func `an engine that ends it is somebody else, and its limit is told apart`() throws {
    let scratch = try Scratch()
    let patient = "trap 'exit 3' TERM; echo up; while :; do sleep 0.01; done"
    let outside = try NodeRun(scratch.path, script: patient, number: 1)
    let node = try outside.start()
    try WaitFor.file(outside.order.log, contains: "up")
    try ProcessDescriptor(node).signal(Signal.terminate)
    #expect(try outside.exitCode(of: node) == 3)
    #expect(try outside.record().stopCause == .outside)

    let limited = try NodeRun(scratch.path, script: patient, number: 2)
    let other = try limited.start()
    try WaitFor.file(limited.order.log, contains: "up")
    try ProcessDescriptor(other).signal(Signal.user2)
    #expect(try limited.exitCode(of: other) == 3)
    #expect(try limited.record().stopCause == .limit)
  }

  @Test(arguments: [UInt64.max, 86_400_000])
  func `a job is told its grace before its engine's time is up, and where`(_ farAway: UInt64) throws
  {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "trap 'exit 3' TERM; echo up; while :; do sleep 0.01; done",
      grace: 60_000)
    let node = try run.start(environment: ["SLURM_JOB_PARTITION=p"])
    try WaitFor.file(run.order.log, contains: "up")
    let now = UInt64(WallClock.now())
    // There is still time: the engine's warning only announces the end.
    try run.tell(ringing: node) {
      $0.endsAtMilliseconds = now.addingReportingOverflow(farAway).overflow ? .max : now + farAway
    }
    let seen = try run.mirror { _ in true }.sequence
    try ProcessDescriptor(node).signal(Signal.user2)
    _ = try run.mirror { $0.sequence >= seen + 3 }
    #expect(try run.record().stopCause == nil)
    // Less time than expected.
    try run.tell(ringing: node) { $0.endsAtMilliseconds = now }
    #expect(try run.exitCode(of: node) == 3)
    #expect(try run.record().stopCause == .partition("p"))
  }

  @Test func `whose mirror is new is told where all tell it, and by each in its place`() throws {
    let scratch = try Scratch()
    try ChangeFile.make(in: scratch.path)
    var runs: [NodeRun] = []
    for number: UInt64 in 1...2 {
      let run = try NodeRun(scratch.path, script: "exec sleep 1000", number: number)
      try run.tell(ringing: nil) { $0.slot = UInt32(number) * 2 }
      try run.start()
      runs.append(run)
    }
    for (run, slot) in zip(runs, [2, 4]) {
      let mirror = try run.mirror { $0.sequence >= 3 }
      let told = try ChangeFile.read(in: scratch.path, below: 6)
      #expect(told.count == 6)
      // It continues during the read; announcements come after the mirror's update.
      #expect(told[slot] & 0xFF_FFFF + 1 >= mirror.sequence)
      // An earlier attempt may have left the same number of its mirror there.
      #expect(told[slot] >> 40 == UInt64(slot) / 2)
      #expect(told[0] == 0 && told[1] == 0 && told[3] == 0 && told[5] == 0)
    }
  }

  @Test func `output that grows is news, also of a job that says nothing else`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "read line; echo more; exec sleep 1000", pace: 3_600_000
    ) { $0.input = .file(scratch.file("input"), bytes: 0) }
    try File.writeAtomically([], to: scratch.file("input"))
    try run.tell(ringing: nil) { $0.fastSeconds = 600 }
    try run.start()
    _ = try run.mirror { $0.logBytes == 5 }
  }

  @Test func `a record that another machine has removed is not written to for ever`() throws {
    let scratch = try Scratch()
    let library = scratch.file("faulty.so")
    try StubLibrary.build("FaultyMachine/faulty_machine.c", at: library)
    let run = try NodeRun(
      scratch.file("state"), script: "echo up; while [ ! -e go ]; do sleep 0.01; done; exit 5"
    ) { $0.log = scratch.file("log") }
    let node = try run.start(environment: [
      "LD_PRELOAD=\(library)", "FAULTY_PROGRAM=jobrun-shim", "FAULTS=\(scratch.path)",
      "JOBRUN_HOME=\(scratch.path)",
    ])
    try WaitFor.file(run.order.log, contains: "up")
    _ = try run.mirror { $0.state == .running }
    // NFS's error for a file that was removed on the server.
    try File.writeAtomically(Array("\(SystemError.stale)".utf8), to: scratch.file("disk"))
    try File.open(scratch.file("state/go"), [.write, .create]).writeAll([])
    #expect(try run.exitCode(of: node) == 71)
    #expect(try run.record().ended == nil)
  }

  @Test func `a worker that got the engine's signal first has not ended by itself`() throws {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "echo up; exec sleep 1000")
    let node = try run.start()
    try WaitFor.file(run.order.log, contains: "up")
    let worker = try #require(try run.record().started?.worker)
    try ProcessDescriptor(worker).signal(Signal.terminate)
    try ProcessDescriptor(node).signal(Signal.terminate)
    #expect(try run.exitCode(of: node) == 143)
    #expect(try run.record().stopCause == .outside)
  }

  @Test func `its time is up by its own clock`() throws {
    let scratch = try Scratch()
    // Its time runs from its start on: a handler of its own might not be there yet.
    let run = try NodeRun(scratch.path, script: "exec sleep 1000") { $0.limitMilliseconds = 300 }
    #expect(try run.exitCode(of: run.start()) == 128 + Signal.terminate)
    #expect(try run.record().stopCause == .limit)
  }

  @Test func `an order that cannot be read is an end with a sentence, and nobody begins it`() throws
  {
    let scratch = try Scratch()
    let run = try NodeRun(scratch.path, script: "echo ran")
    try File.writeAtomically(Array("nonsense".utf8), to: run.folder.order)
    #expect(try run.exitCode(of: run.start()) == 71)
    let end = try #require(try run.record().ended)
    #expect(end.message.contains("the launch order is damaged"))
    #expect(try run.exitCode(of: run.start()) == 75)
  }

  @Test func `a disk that is full stops the mirror, harms no worker, and gets the end later`()
    throws
  {
    let scratch = try Scratch()
    let run = try NodeRun(
      scratch.path, script: "echo up; while [ ! -e go ]; do sleep 0.01; done; exit 5")
    let node = try run.start()
    try WaitFor.file(run.order.log, contains: "up")
    _ = try run.mirror { $0.state == .running }
    try limitFiles(of: node, to: "0:")
    let worker = try #require(try run.record().started?.worker)
    try File.open("\(scratch.path)/go", [.write, .create]).writeAll([])
    try waitUntil { ProcessStatus(pid: worker.pid) == nil }
    // It stays, although it cannot write, and waits between its tries.
    let before = try waits(of: node)
    try waitUntil { try waits(of: node) >= before + 2 }
    let hasLeft = try ProcessDescriptor(node).hasExited()
    #expect(!hasLeft)
    #expect(try run.record().ended == nil)
    try limitFiles(of: node, to: "unlimited:")
    #expect(try run.exitCode(of: node) == 5)
    #expect(try run.record().ended?.status == .exited(5))
    #expect(try run.record().hasWaited)
  }

  /// How often a process has waited for something (proc_pid_status(5)).
  private func waits(of pid: Int32) throws -> Int {
    let text = String(decoding: try File.readAll("/proc/\(pid)/status"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    let count = line?.split(separator: "\t").last.flatMap { Int($0) }
    return try #require(count)
  }

  /// Looks again and again, where nothing tells of a change.
  private func waitUntil(_ isSo: () throws -> Bool) throws {
    let deadline = generousDeadline()
    while try !isSo() {
      try #require(AwakeClock.now() < deadline)
      _ = try Poll.wait([], until: AwakeClock.now() + 5_000_000)
    }
  }

  /// Sets how large another process's files may grow (prlimit(1)).
  private func limitFiles(of pid: Int32, to limit: String) throws {
    let end = try LinuxSystem.ChildProcess.wait(
      LinuxSystem.Spawn(["/usr/bin/prlimit", "--pid", "\(pid)", "--fsize=\(limit)"]).start())
    #expect(end.status == .exited(0))
  }
}
