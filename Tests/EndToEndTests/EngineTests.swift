import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Jobs on an engine of kind `host` behave like local ones, whichever process is killed.
@Suite struct EngineTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
    try configure(#"{"slots": 1, "engines": {"tower": {"kind": "host", "slots": 2}}}"#)
  }

  private func configure(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  @Test func `what is piped in is read there, by each attempt from its start`() throws {
    let ran = try workshop.sandbox.run(
      "sh",
      [
        "-c",
        "printf 'one\\ntwo' | jobrun run --on tower --retries 1:0s --plain -- sh -c"
          + " 'cat; exit $((2 - JOBRUN_ATTEMPT))'",
      ], environment: workshop.environment)
    #expect(ran.status == 0, "\(ran.errors)")
    let log = try workshop.jobrun("log", "1").output
    #expect(log.hasPrefix("one\ntwo\njobrun: attempt 2 begins"), "\(log)")
    #expect(log.hasSuffix("one\ntwo"), "\(log)")
  }

  @Test func `what it uses there is counted apart`() throws {
    #expect(try workshop.jobrun("run", "--on", "tower", "--", "true").status == 0)
    let usage = try workshop.jobrun("usage", "--json").output
    #expect(usage.contains("\"cpuSeconds\":0,\"engineCPUSeconds\":0."), "\(usage)")
  }

  @Test func `it holds no slot of this machine`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--on", "tower")
    _ = try workshop.submit("gated", "--on", "tower")
    _ = try workshop.submit("gated", "--on", "tower")
    _ = try workshop.submit("gated")
    for number: UInt64 in [1, 2, 4] { try workshop.awaitReady(number) }
    let third = try workshop.show(3)
    #expect(third.state == .queued)
    #expect(third.pendingReason?.message == "both slots on tower are taken by jobs 1 and 2")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3", "4").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `what its output tells of its progress is recognised as it is here`() throws {
    let script = """
      for frame in 1 2 3; do echo "frame $frame/10"; done
      read line < "$0"
      echo "frame 10/10"
      """
    try workshop.jobrun("run", "--detach", "--on", "tower", "--", "sh", "-c", script, workshop.gate)
    let feed = try workshop.start("attach", "1", "--json")
    _ = try feed.wait(for: "\"completed\":2,\"total\":10")
    feed.signal(15)
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .succeeded)
    #expect(job.progress?.completed == 10)
    #expect(job.progress?.source == .output)
    withExtendedLifetime(opened) {}
  }

  @Test func `the output of a job that has ended before it was looked at is read, too`() throws {
    let script = "for frame in 1 2 3 4; do echo \"frame $frame/4\"; done"
    for (number, machine) in [(1, "here"), (2, "tower")] as [(UInt64, String)] {
      try workshop.jobrun("run", "--on", machine, "--", "sh", "-c", script)
      let job = try workshop.waitForEnd(number)
      #expect(job.progress?.completed == 4)
      #expect(job.progress?.source == .output)
    }
  }

  @Test func `a job that its output shows to get on does not stall, as here`() throws {
    // Between two steps it writes, too, which shows that it lives and not that it gets on. The steps are short
    // beside the timeout, as each of them may be seen seconds late.
    let script = """
      for frame in 1 2 3 4 5 6 7 8; do
        echo "frame $frame/10"
        for second in 1 2; do sleep 1; echo working; done
      done
      """
    let ran = try workshop.jobrun(
      "run", "--on", "tower", "--on-stall", "stop", "--stall-after", "7s", "--", "sh", "-c", script)
    #expect(ran.status == 0, "\(ran.errors)")
  }

  /// With a limit of 1 MiB.
  private func check(log number: Int, last: String) throws {
    let log = workshop.sandbox.home + "/state/logs/\(number).log"
    // What has come is seen before the runner cuts the log.
    var text = ""
    try WaitFor.answer("a log within its limit") {
      text = try workshop.jobrun("log", "\(number)").output
      return text.utf8.count <= 1 << 20
    }
    #expect(text.hasPrefix("1\n2\n3\n"))
    #expect(text.hasSuffix("\n\(last)\n"), "\(text.suffix(200))")
    #expect(!text.utf8.contains(0))
    #expect(text.contains("bytes of output are left out here"))
    var status = stat()
    #expect(unsafe stat(log, &status) == 0)
    #expect(Int(status.st_blocks) * 512 <= (1 << 20) + (64 << 10))
  }

  @Test func `head and tail of a long log are kept as here, and who follows it goes on`() throws {
    try configure(#"{"slots": 1, "logLimit": "1M", "engines": {"tower": {"kind": "host"}}}"#)
    let script = "seq 700000; echo > \"$0\"; read x < \"$1\"; seq 700000 1400000; echo end"
    let ready = workshop.sandbox.path("ready")
    try workshop.jobrun(
      "run", "--detach", "--on", "tower", "--", "sh", "-c", script, ready, workshop.gate)
    let follower = try workshop.start("log", "1", "-f")
    try follower.wait(for: "\n700000\n")
    try check(log: 1, last: "700000")
    let opened = try workshop.openGate()
    #expect(try follower.wait().output.hasSuffix("\n1400000\nend\n"))
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    try check(log: 1, last: "end")
    withExtendedLifetime(opened) {}
  }

  @Test func `what was left out there before it could come is left out here`() throws {
    try configure(#"{"slots": 1, "logLimit": "1M", "engines": {"tower": {"kind": "host"}}}"#)
    let ready = workshop.sandbox.path("ready")
    try workshop.jobrun(
      "run", "--detach", "--on", "tower", "--", "sh", "-c",
      "seq 10; read x < \"$1\"; seq 11 3000000; echo > \"$0\"; read x < \"$1\"; echo end", ready,
      workshop.gate)
    try workshop.feed(until: "started", of: 1)
    // Neither runner nor helper is there while it writes.
    let victims = try workshop.helpers() + [RestartTests.runner(workshop)]
    for victim in victims { kill(victim, SIGKILL) }
    for victim in victims { try WaitFor.end(ofProcess: victim) }
    do {
      let opened = try workshop.openGate()
      try WaitFor.file(ready)
      opened.signal(9)
    }
    try workshop.jobrun("list")
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    try check(log: 1, last: "end")
    withExtendedLifetime(opened) {}
  }

  /// Kills the runner and takes its store away.
  private func loseStore() throws {
    try workshop.killRunner()
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(
        atPath: workshop.sandbox.home + "/state/jobrun.db\(ending)")
    }
  }

  @Test func `when the store is lost, what runs there is found again, and ends once`() throws {
    let ran = workshop.sandbox.path("ran")
    try workshop.define(
      "gated",
      "echo $JOBRUN_JOB >> '\(ran)'\necho x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7",
      #","title":"Trip""#)
    #expect(try workshop.jobrun("run", "--on", "tower", "--", "true").status == 0)
    _ = try workshop.submit("gated", "--on", "tower")
    try workshop.awaitReady(2)
    try loseStore()
    let feed = try workshop.start("attach", "2", "--json")
    _ = try feed.wait(for: "\"state\":\"running\"")
    let job = try workshop.show(2)
    #expect(job.title == "Trip" && job.terms.engine == "tower" && job.attempt == 1)
    // Jobs that ended before are removed there, too.
    #expect(try File.names(in: folder + "/jobs") == ["2.1"])
    let opened = try workshop.openGate()
    #expect(try feed.wait().status == 7)
    #expect(try workshop.jobrun("redo", "2").status == 0)
    #expect(try workshop.jobrun("wait", "2").status == 7)
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "2\n2\n")
    withExtendedLifetime(opened) {}
  }

  /// Of the store on the engine.
  private var folder: String {
    get throws {
      let engine = workshop.sandbox.home + "/state/engines/tower"
      let store = try #require(try File.names(in: engine).first { $0.utf8.count == 16 })
      return "\(engine)/\(store)/tower"
    }
  }

  @Test func `what a runner could not say any more before it died is tidied by the next`() throws {
    try workshop.define("again", "echo x > \"$READY.$JOBRUN_JOB.$JOBRUN_ATTEMPT\"; exit 1")
    #expect(try workshop.jobrun("run", "--on", "tower", "--", "true").status == 0)
    // It has a folder, and waits for another attempt.
    _ = try workshop.submit("again", "--on", "tower", "--retries", "1:1h")
    try WaitFor.file(workshop.sandbox.path("ready.2.1"), contains: "x")
    try workshop.feed(until: "queued", of: 2)
    try workshop.killRunner()
    let left = try folder + "/jobs/1.1"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    try Data("revoked\n".utf8).write(to: URL(fileURLWithPath: left + "/record"))
    try FileManager.default.createDirectory(
      atPath: folder + "/jobs/1.2", withIntermediateDirectories: true)
    try Data("late\n".utf8).write(to: URL(fileURLWithPath: folder + "/jobs/1.2/node.log"))
    #expect(try workshop.jobrun("run", "--on", "tower", "--", "true").status == 0)
    #expect(try File.names(in: folder + "/jobs").filter { !$0.hasPrefix("3.") } == ["2.1"])
    #expect(try File.names(in: folder + "/state").contains("2"))
  }

  @Test func `what a job keeps there is there for its next attempt, when the runner died between`()
    throws
  {
    try workshop.define(
      "kept",
      """
      if [ $JOBRUN_ATTEMPT = 1 ]; then echo half > "$JOBRUN_STATE_DIR/work"; exit 1; fi
      grep half "$JOBRUN_STATE_DIR/work"
      """)
    // Only its second attempt makes the next runner start a helper, and it is not to be launched before the runner
    // is killed: then it might be made again under another number.
    _ = try workshop.submit("kept", "--on", "tower", "--retries", "1:4s")
    try workshop.feed(until: "queued", of: 1)
    try workshop.killRunner()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    #expect(try workshop.show(1).attempt == 2)
  }

  @Test func `a job whose engine is configured no longer says so, and can be given up`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--on", "tower")
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    let runner = try RestartTests.runner(workshop)
    try configure("{}")
    kill(runner, SIGKILL)
    try workshop.jobrun("list")
    let warning = try workshop.show(1).warning
    #expect(warning?.hasPrefix("config.json has no tower any more") == true, "\(warning ?? "")")
    try workshop.jobrun("cancel", "1", "--now")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    withExtendedLifetime(try workshop.openGate()) {}
  }

  @Test func `settings that are mended bring a job on its way that waited for them`() throws {
    try configure(
      #"{"engines": {"tower": {"kind": "host", "through": "nowhere", "slots": 2}}}"#)
    let programs = workshop.sandbox.path("bin")
    try workshop.sandbox.write(
      "#!/bin/sh\necho no route to nowhere >&2; exit 255\n", to: "bin/ssh", executable: true)
    try workshop.define("quick", "exit 0")
    _ = try workshop.submit(
      "quick", "--on", "tower",
      environment: ["PATH": programs + ":" + (workshop.sandbox.environment["PATH"] ?? "")])
    let told = try workshop.feed(until: "queued", of: 1)
    #expect(told.contains("tower has not answered since "))
    #expect(told.contains("no route to nowhere"))
    try configure(#"{"engines": {"tower": {"kind": "host", "slots": 2}}}"#)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test(arguments: [
    (["--on", "towr"], "no engine is called \"towr\"; did you mean tower?"),
    (["--on", "tower", "--require", "network"], "network is a condition of this machine"),
    (["--on", "tower", "--require", "idle"], "idle is a condition of this machine"),
  ])
  func `what makes no sense there is refused with a sentence`(
    _ flags: [String], _ sentence: String
  ) throws {
    let refused = try workshop.sandbox.run(
      "jobrun", ["run"] + flags + ["--", "true"], environment: workshop.environment)
    #expect(refused.status == 64)
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }

  @Test(arguments: [
    (#"{"engines": {"tower": {"kind": "hst"}}}"#, "kind"),
    (#"{"engines": {"tower": {}}}"#, "kind\" is missing"),
    (#"{"engines": {"tower": {"kind": "host", "folder": "jobs"}}}"#, "an absolute path is needed"),
    (#"{"engines": {"here": {"kind": "host"}}}"#, "is what this machine is called"),
    (
      #"{"engines": {"a": {"kind": "slurm", "folder": "/f", "options": ["--job-name=x"]}}}"#,
      "has \"--job-name=x\", which jobrun sets itself; leave it out"
    ),
    (
      #"{"engines": {"a": {"kind": "slurm", "folder": "/f", "options": ["qos"]}}}"#,
      "which is not an option of sbatch"
    ),
    (
      #"{"engines": {"a": {"kind": "slurm", "folder": "/f", "gpuTypes": [{"memory": "8G"}]}}}"#,
      "gres\" is missing"
    ),
    (
      #"{"engines": {"a": {"kind": "slurm", "folder": "/f", "slots": 3}}}"#,
      "does not apply to this kind of engine"
    ),
    (#"{"engines": {"a": {"kind": "slurm"}}}"#, "name one that the nodes see"),
    (#"{"on": "twr", "engines": {"tower": {"kind": "host"}}}"#, "use tower or here"),
  ])
  func `settings that make no sense are told when they are read`(
    _ text: String, _ sentence: String
  ) throws {
    try configure(text)
    let refused = try workshop.jobrun("run", "--", "true")
    #expect(refused.status == 78)
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }
}
