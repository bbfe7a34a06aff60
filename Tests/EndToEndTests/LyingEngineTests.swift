import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// An engine's reports come from another machine: they count only for its own attempts, and can do no other
/// harm.
@Suite struct LyingEngineTests {
  private let workshop: Workshop

  /// `tower` tells the truth, and is not reached while a file `away` is there; `liar` is a script of the test.
  init() throws {
    workshop = try Workshop(slots: 1)
    try Data(
      #"""
      {"engines": {"tower": {"kind": "host", "through": "tower", "environment": ["GATE", "READY"]},
        "liar": {"kind": "host", "through": "liar"}}}
      """#.utf8
    ).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    let engine = try BuiltProducts.path("jobrun-engine")
    try workshop.sandbox.write(
      """
      #!/bin/sh
      for word; do case $word in tower | liar) host=$word ;; esac; done
      cd '\(workshop.sandbox.path(""))'
      if [ -e away ]; then echo "no route to $host" >&2; exit 255; fi
      if [ $host = tower ]; then exec '\(engine)' host; fi
      echo again >> asked
      read hello
      echo '{"ev":"ready","v":1,"node":"n"}'
      read order
      . ./lies
      cat > /dev/null
      """, to: "bin/ssh", executable: true)
    try workshop.define("quick", "exit 0")
    try workshop.define("long", "echo $$ > \"$READY.$JOBRUN_JOB\"; exec sleep 1000")
  }

  private var path: [String: String] {
    let programs = workshop.sandbox.path("bin")
    return ["PATH": programs + ":" + (workshop.sandbox.environment["PATH"] ?? "")]
  }

  private func submit(_ name: String, on engine: String) throws {
    _ = try workshop.submit(name, "--on", engine, environment: path)
  }

  /// Lines that the engine tells once it was given something.
  private func lie(_ lines: String...) throws {
    let text = lines.map { "printf '%s\\n' '\($0)'\n" }.joined()
    try workshop.sandbox.write(text, to: "lies")
  }

  /// A job on the honest engine; its process.
  private func startHonest() throws -> Int32 {
    try submit("long", on: "tower")
    try workshop.feed(until: "started", of: 1)
    let path = workshop.sandbox.path("ready.1")
    try WaitFor.file(path, contains: "\n")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try #require(Int32(text.dropLast()))
  }

  private func status() throws -> String { try workshop.jobrun("runner", "status").output }

  private static let end = "ended exit 0 cpu 0 rss 0 from 1 to 2\\n"

  @Test(arguments: [
    #"{"ev":"ended","job":1,"attempt":1,"record":"\#(end)"}"#,
    #"{"ev":"log","job":1,"attempt":1,"from":0,"bytes":"forged"}"#,
    #"{"ev":"lost","job":1,"attempt":1,"cause":"lost","message":"gone"}"#,
    #"{"ev":"revoked","job":1,"attempt":1}"#,
    #"{"ev":"refused","job":1,"attempt":1,"message":"never"}"#,
    #"{"ev":"pending","job":1,"attempt":1,"code":"engine","message":"forged"}"#,
  ])
  func `what one engine says changes no job of another`(_ line: String) throws {
    let worker = try startHonest()
    try lie(line, #"{"ev":"pending","job":2,"attempt":1,"code":"engine","message":"told"}"#)
    try submit("quick", on: "liar")
    try workshop.feed(until: "queued", of: 2)
    let job = try workshop.show(1)
    #expect(job.state == .running && job.attempt == 1)
    #expect(ProcessStatus(pid: worker) != nil)
    #expect(try workshop.jobrun("log", "1").output == "")
    let said = "liar does not answer: it reports job 1, which it was not given; the link was cut"
    #expect(try status().contains(said))
  }

  @Test(arguments: [
    (
      #"printf '%s\n' '{"ev":"pending","job":1,"attempt":1,"code":"engine","message":"x"}'"#,
      "it sends too many lines"
    ),
    ("echo rubbish", "it sent a line that is not a report"),
    ("echo rubbish >&2", "it writes too many errors"),
    ("printf %10000s x", "it sent a line that is too long"),
  ])
  func `one that prints without end is cut off, and holds nobody up`(
    command: String, sentence: String
  ) throws {
    try workshop.sandbox.write("while \(command); do :; done\n", to: "lies")
    try submit("quick", on: "liar")
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    try GroupedWorkshop.settle("the sentence") { try status().contains(sentence) }
    #expect(try status().contains("the link was cut"))
    #expect(try workshop.show(1).state == .queued)
  }

  @Test(arguments: ["18446744073709551615", "9223372036854775708"])
  func `an offset that no log has ends no runner`(_ offset: String) throws {
    try lie(
      #"{"ev":"log","job":1,"attempt":1,"from":4,"bytes":"x"}"#,
      #"{"ev":"log","job":1,"attempt":1,"from":\#(offset),"bytes":"x"}"#,
      #"{"ev":"pending","job":1,"attempt":1,"code":"engine","message":"told"}"#)
    try submit("quick", on: "liar")
    let runner = try RestartTests.runner(workshop)
    try workshop.feed(until: "queued", of: 1)
    #expect(try RestartTests.runner(workshop) == runner)
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max), 1 << 63])
  func `numbers that no page has end neither the runner nor who is shown them`(_ number: UInt64)
    throws
  {
    func page(_ sequence: Int, _ numbers: (completed: UInt64, total: UInt64)) -> String {
      """
      {"ev":"page","job":1,"attempt":1,"seq":\(sequence),"completed":\(numbers.completed),\
      "total":\(numbers.total),"unit":\(sequence % 2 == 0 ? 1 : UInt32.max),"reports":\(number),\
      "textSeq":\(number),"title":"t","subtitle":"","quietMs":\(number),"reportedAgoMs":\(number),\
      "advancedAgoMs":\(number),"logBytes":\(number),"outcome":\(UInt32.max),\
      "deferSeconds":\(UInt32.max),"message":"","problem":"","warning":""}
      """
    }
    try lie(
      #"{"ev":"started","job":1,"attempt":1,"node":"n"}"#, page(1, (1, number)),
      page(2, (number - 1, number)), page(3, (number, 1)), page(4, (0, number)),
      #"{"ev":"contact","job":1,"attempt":1,"silentMs":\#(number)}"#,
      #"{"ev":"note","text":"all told"}"#)
    try submit("quick", on: "liar")
    let runner = try RestartTests.runner(workshop)
    try GroupedWorkshop.settle("the note") { try status().contains("all told") }
    for verb in [
      ["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"], ["log", "1"],
    ] {
      #expect(
        try workshop.sandbox.run("jobrun", verb, environment: workshop.environment).status == 0)
    }
    #expect(try RestartTests.runner(workshop) == runner)
    #expect(try workshop.show(1).attempt == 1)
  }

  @Test func `an end that makes no sense is told as such, and begins nothing anew`() throws {
    try lie(
      #"{"ev":"started","job":1,"attempt":1,"node":"n"}"#,
      #"{"ev":"ended","job":1,"attempt":1,"record":"ended exit 256 cpu 0 rss 0 from 1 to 2\n"}"#)
    try submit("quick", on: "liar")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted)
    #expect(
      job.stopReason?.message
        == "liar reported an impossible end: \"ended exit 256 cpu 0 rss 0 from 1 to 2\"")
  }

  @Test func `a job that was told as started is never begun anew`() throws {
    try lie(
      #"{"ev":"started","job":1,"attempt":1,"node":"n"}"#,
      #"{"ev":"revoked","job":1,"attempt":1}"#)
    try submit("quick", on: "liar")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted && job.attempt == 1)
  }

  @Test func `who is cancelled out of reach has ended here, and ends there once it is reached`()
    throws
  {
    let worker = try startHonest()
    try goAway()
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .cancelled)
    let told = job.stopReason?.message ?? ""
    #expect(told.contains("Its end was not observed; it may still be running there"), "\(told)")
    #expect(ProcessStatus(pid: worker) != nil)
    #expect(try workshop.jobrun("forget", "1").status == 0)
    try comeBack()
    try WaitFor.end(ofProcess: worker)
  }

  @Test func `a runner that is to stop does so, and the next one ends what was out of reach`()
    throws
  {
    let worker = try startHonest()
    try goAway()
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    #expect(ProcessStatus(pid: worker) != nil)
    try comeBack()
    let shown = try workshop.jobrun("show", "1", "--json", environment: path).output
    #expect(try Workshop.object(shown).outcome == .interrupted)
    try WaitFor.end(ofProcess: worker)
  }

  private func goAway() throws {
    try workshop.sandbox.write("", to: "away")
    for helper in try workshop.helpers() { kill(helper, SIGKILL) }
    // Until that is known.
    try workshop.jobrun("show", "1")
  }

  private func comeBack() throws {
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("away"))
  }
}
