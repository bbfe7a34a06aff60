import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import TestKit
import Testing

/// An engine of kind `slurm`, on a real Slurm of the test's own.
@Suite(.needsSlurm)
struct SlurmTests {
  private let slurm: SlurmWorkshop

  init() throws { slurm = try SlurmWorkshop() }

  private var workshop: Workshop { slurm.workshop }
  private var cluster: SlurmCluster { slurm.cluster }
  private var environment: [String: String] { slurm.environment }

  @Test func `a job has what it asks for, in a partition and with options of its own`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit(
      "gated", "--on", "cluster", "--partition", "short", "--engine-option=--nice=7",
      "--require", "cpu=3,memory=200M", environment: environment)
    try workshop.awaitReady(1)
    let shown = try cluster.call("scontrol", "show", "job")
    for word in ["Partition=short", "Nice=7", "NumCPUs=3", "MinMemoryNode=200M"] {
      #expect(shown.contains(word), "\(shown)")
    }
    let queue = try workshop.jobrun("engines", "queue", "cluster", environment: environment)
    #expect(queue.output.contains("PARTITION") && queue.output.contains("RUNNING"), "\(queue)")
    let refused = try workshop.jobrun(
      "run", "--on", "cluster", "--engine-option=--job-name=x", "--", "true",
      environment: environment)
    #expect(refused.status == 64, "\(refused.errors)")
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }

  @Test func `what no node can ever run is refused with Slurm's sentence`() throws {
    let refused = try workshop.jobrun(
      "run", "--on", "cluster", "--require", "cpu=64", "--", "true", environment: environment)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("it can never start there"), "\(refused.errors)")
  }

  @Test func `what is to start at once and does not is refused, and never begins`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit(
      "gated", "--on", "cluster", "--require", "cpu=4", environment: environment)
    try workshop.awaitReady(1)
    let refused = try workshop.jobrun(
      "submit", "gated", "--on", "cluster", "--strategy", "fail", environment: environment)
    #expect(refused.status == 75)
    #expect(refused.errors.contains("cluster did not start it within 10 s"), "\(refused.errors)")
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.2")))
    withExtendedLifetime(opened) {}
  }

  @Test func `many that ask for the same are an array, and each runs once`() throws {
    let ran = workshop.sandbox.path("ran")
    let count = 30
    let each = try workshop.sandbox.run(
      "jobrun",
      ["each", "--on", "cluster", "--plain", "--", "sh", "-c", "echo $0 >> '\(ran)'", "{}", ":::"]
        + (1...count).map { "\($0)" },
      environment: workshop.environment.merging(environment) { $1 })
    #expect(each.status == 0, "\(each.errors)")
    let lines = try String(contentsOfFile: ran, encoding: .utf8).split(separator: "\n")
    #expect(lines.sorted() == (1...count).map { Substring("\($0)") }.sorted())
    let names = try cluster.call("squeue", "--me", "-h", "-t", "all", "-o", "%F")
    #expect(Set(names.split(separator: "\n")).count < count / 2, "\(names)")
  }

  @Test(arguments: [false, true])
  func `of an array that is cancelled nothing stays in the queue`(_ stopsRunner: Bool) throws {
    // Keeps all of them waiting.
    try cluster.call("scontrol", "update", "nodename=n1", "state=drain", "reason=test")
    try submitThirty(environment)
    try slurm.awaitQueue("thirty in the queue") { $0.count == 30 }
    try workshop.jobrun("cancel", "--all")
    if stopsRunner { try workshop.jobrun("runner", "stop") }
    try slurm.awaitEmptyQueue()
  }

  /// An answer of before its submission does not make the array forgotten, nor its cancellation.
  @Test func `of an array that an outdated answer does not show nothing stays either`() throws {
    try cluster.call("scontrol", "update", "nodename=n1", "state=drain", "reason=test")
    let polls = workshop.sandbox.path("polls")
    let environment = try slurm.environment(
      "squeue",
      """
      answer=$(/usr/bin/squeue "$@") || exit
      if [ -d '\(polls)' ]; then
        n=1
        until mkdir '\(polls)'/asked.$n 2> /dev/null; do n=$((n + 1)); done
        until [ -e '\(polls)'/answered.$n ]; do sleep 0.05; done
      fi
      echo "$answer"
      """)
    let run = try workshop.jobrun(
      "run", "--on", "cluster", "--detach", "--", "sleep", "1000", environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    try slurm.awaitQueue("one in the queue") { $0.count == 1 }
    try FileManager.default.createDirectory(atPath: polls, withIntermediateDirectories: false)
    try WaitFor.file("\(polls)/asked.1")
    try submitThirty(environment)
    try slurm.awaitQueue("all in the queue") { $0.count == 31 }
    try workshop.jobrun("cancel", "--all")
    try Data().write(to: URL(fileURLWithPath: "\(polls)/answered.1"))
    // An engine without a job is not asked again.
    try WaitFor.answer("a second question, or an empty queue") {
      // The heading tells an empty queue from no answer.
      try FileManager.default.fileExists(atPath: "\(polls)/asked.2")
        || cluster.call("squeue", "--me").split(separator: "\n").count == 1
    }
    try workshop.jobrun("runner", "stop")
    try slurm.awaitEmptyQueue()
    try Data().write(to: URL(fileURLWithPath: "\(polls)/answered.2"))
  }

  private func submitThirty(_ environment: [String: String]) throws {
    let each = try workshop.sandbox.run(
      "jobrun",
      ["each", "--on", "cluster", "--detach", "--", "sleep", "1000", "#", "{}", ":::"]
        + (1...30).map { "\($0)" },
      environment: workshop.environment.merging(environment) { $1 })
    #expect(each.status == 0, "\(each.errors)")
  }

  /// Slurm counts limits in minutes: both jobs run at the same time, one with the limit of its partition, one
  /// with a limit that is set later.
  @Test func `what Slurm gives no more time is told so its grace before that, and why`() throws {
    let times = workshop.sandbox.path("times")
    try workshop.define(
      "saving",
      """
      trap 'date +%s >> '\(times)'.$JOBRUN_JOB; read line < "$GATE"; echo saved; exit 0' TERM
      date +%s > '\(times)'.$JOBRUN_JOB
      echo x > "$READY.$JOBRUN_JOB"
      while :; do sleep 0.1; done
      """)
    let gate = workshop.gate
    _ = try workshop.submit(
      "saving", "--on", "cluster", "--grace", "12s", environment: environment)
    try workshop.awaitReady(1)
    let row = try cluster.call("squeue", "--me", "-h", "-o", "%i %S")
      .split(whereSeparator: \.isWhitespace)
    try #require(row.count == 2, "\(row)")
    try cluster.call("scontrol", "update", "jobid=\(row[0])", "TimeLimit=1")
    // Its minute began with its allocation, which may be some seconds before its first line.
    let date = try workshop.sandbox.run("date", ["-d", "\(row[1])", "+%s"]).output
    let begun = try #require(Int(date.dropLast()), "\(row)")
    try slurm.configure(["cluster": slurm.folder], #", "options": ["--partition=short"]"#)
    try workshop.killRunner()
    // At least half of its minute stays, whatever its grace.
    _ = try workshop.submit("saving", "--on", "cluster", "--grace", "1h", environment: environment)
    let feed = try workshop.start("feed", environment: environment)
    _ = try feed.wait(for: "its time on short is up; it was told to stop")
    let opened = try workshop.openGate()
    for (number, partition, seconds) in [(1, "p", 43...52), (2, "short", 24...36)]
      as [(UInt64, String, ClosedRange<Int>)]
    {
      let job = try workshop.waitForEnd(number)
      #expect(job.outcome == .expired)
      #expect(job.stopReason?.message == "its time on \(partition) is up")
      // The shell tells of its sleep, which was ended, too.
      #expect(try workshop.jobrun("log", "\(number)").output.hasSuffix("saved\n"))
      let lines = try String(contentsOfFile: "\(times).\(number)", encoding: .utf8)
        .split(separator: "\n").compactMap { Int($0) }
      try #require(lines.count == 2, "\(number): \(lines)")
      let span = lines[1] - (number == 1 ? begun : lines[0])
      #expect(seconds.contains(span), "\(number): \(begun), \(lines)")
    }
    withExtendedLifetime((opened, gate)) {}
  }

  @Test func `what waits in Slurm's queue is not held, moved or edited here, and says where it is`()
    throws
  {
    try cluster.call("scontrol", "update", "nodename=n1", "state=drain", "reason=test")
    try workshop.define("quick", "exit 0")
    _ = try workshop.submit("quick", "--on", "cluster", environment: environment)
    try workshop.feed(until: "queued", of: 1)
    for (verb, what) in [
      (["hold", "1"], "held"), (["move", "1", "--first"], "moved"),
      (["edit", "1", "--title", "x"], "edited"),
    ] {
      let refused = try workshop.sandbox.run(
        "jobrun", verb, environment: workshop.environment.merging(environment) { $1 })
      #expect(refused.status == 66, "\(refused)")
      #expect(
        refused.errors.contains(
          "job 1 is in the queue of cluster already, where it cannot be \(what); cancel it and submit"
        ),
        "\(refused.errors)")
    }
    #expect(try workshop.show(1).state == .queued)
  }

  /// A controller that was killed gives a number again, and ends the job that has it now when the node
  /// tells of the one before.
  @Test(arguments: [1, 4])
  func `one that had a node and is cancelled before it begins is made again, three times`(
    _ times: Int
  )
    throws
  {
    try workshop.defineGated("gated")
    _ = try workshop.submit(
      "gated", "--on", "cluster", "--require", "cpu=4", environment: environment)
    try workshop.awaitReady(1)
    // For the second job it reports such an end.
    let ended = (1...times).map {
      "-e 's/\\(.*[.]2[.]\($0)|\\)PENDING|\\([^|]*\\)|[^|]*/\\1CANCELLED|\\2|n1/'"
    }
    let environment = try slurm.environment(
      "squeue", "/usr/bin/squeue \"$@\" | sed \(ended.joined(separator: " "))")
    try workshop.killRunner()
    _ = try workshop.submit("gated", "--on", "cluster", environment: environment)
    if times > 1 {
      let job = try workshop.waitForEnd(2)
      #expect(job.outcome == .cancelled)
      #expect(job.stopReason?.message == "it was cancelled on cluster by someone else")
      #expect(job.attempt == 4)
      return
    }
    let feed = try workshop.start("attach", "2", "--json", environment: environment)
    _ = try feed.wait(for: "\"attempt\":2")
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let job = try workshop.waitForEnd(2)
    #expect(job.outcome == .succeeded)
    #expect(job.attempt == 2)
    withExtendedLifetime(opened) {}
  }
}
