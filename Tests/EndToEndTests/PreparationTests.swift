import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// What surrounds a job's command: what is run before it, what runs it, and the warning of its limit.
@Suite struct PreparationTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop(slots: 1) }

  private func configure(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  @Test func `what is run before a job prints into its log and makes its environment`() throws {
    let ran = try workshop.jobrun(
      "run", "--before", "echo loading; export LOADED=5; cd /", "--", "sh", "-c",
      "echo $LOADED $0; pwd", "a b")
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try workshop.jobrun("log", "1").output == "loading\n5 a b\n/\n")
    #expect(
      try workshop.show(1).terms.command == ["sh", "-c", "echo $LOADED $0; pwd", "a b"])
  }

  @Test(arguments: [
    ("echo no; (exit 3)", 3, "(3): echo no"), ("exit 0", 1, "(1): exit 0"),
    ("if", 2, "(2): if"), ("nosuchcommand", 1, "(127): nosuchcommand"),
  ])
  func `what fails before a job keeps it from beginning, and is told`(
    _ before: String, _ code: Int32, _ sentence: String
  ) throws {
    let mark = workshop.sandbox.path("mark")
    let failed = try workshop.jobrun("run", "--before", before, "--", "touch", mark)
    #expect(failed.status == code, "\(failed.errors)")
    #expect(!FileManager.default.fileExists(atPath: mark))
    let message = try workshop.show(1).message ?? ""
    #expect(message.contains("as the command before it failed \(sentence)"), "\(message)")
  }

  @Test func `a program that only what is run before it provides is found`() throws {
    try workshop.sandbox.write("#!/bin/sh\necho provided\n", to: "module/tool", executable: true)
    let ran = try workshop.jobrun(
      "run", "--before", "PATH='\(workshop.sandbox.path("module"))':$PATH", "--", "tool")
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try workshop.jobrun("log", "1").output == "provided\n")
  }

  @Test func `an engine and a definition each run something before, and run it in something`()
    throws
  {
    try configure(
      #"""
      {"engines": {"tower": {"kind": "host", "before": "export A=1; echo engine",
        "wrap": ["env", "B=2"]}}}
      """#)
    try workshop.define(
      "job", "echo $A $B $C $D", #", "before": "echo job $A; export C=3", "wrap": ["env", "D=4"]"#)
    for flags in [["--on", "tower"], []] {
      let ran = try workshop.sandbox.run(
        "jobrun", ["submit", "job"] + flags, environment: workshop.environment)
      #expect(ran.status == 0, "\(ran.errors)")
    }
    #expect(try workshop.jobrun("log", "1").output == "engine\njob 1\n1 2 3 4\n")
    #expect(try workshop.jobrun("log", "2").output == "job\n3 4\n")
  }

  @Test(arguments: ["here", "tower"])
  func `a job is warned of its limit, and can save its state`(_ engine: String) throws {
    try configure(#"{"engines": {"tower": {"kind": "host"}}}"#)
    let script = "trap 'echo saved; exit 0' USR1; trap 'exit 9' USR2; while :; do sleep 0.05; done"
    // A shell that has not set its traps when the warning comes is ended by it: it has ten seconds
    // for that.
    for flags in [[], ["--warn-signal", "USR2"]] {
      let accepted = try workshop.sandbox.run(
        "jobrun",
        ["run", "--detach", "--on", engine, "--limit", "1h", "--warn", "59m50s"] + flags
          + ["--", "sh", "-c", script], environment: workshop.environment)
      #expect(accepted.status == 0, "\(accepted.errors)")
    }
    let saved = try workshop.jobrun("wait", "1")
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(try workshop.jobrun("log", "1").output == "saved\n")
    let other = try workshop.jobrun("wait", "2")
    #expect(other.status == 9, "\(other.errors)")
  }

  @Test(arguments: [
    (["--partition", "x"], "a partition can be given to a job on an engine only"),
    (["--engine-option", "-x"], "options of an engine can be given"),
    (["--on", "tower", "--partition", "x"], "\"tower\" is a host: a partition can be given"),
    (["--warn", "5m"], "a warning of the limit must come before it"),
    (["--warn", "5m", "--limit", "5m"], "a warning of the limit must come before it"),
    (["--warn-signal", "x", "--limit", "5m"], "--warn-signal is \"x\", which is not a signal"),
    (["--before", " "], "the command before the job is empty"),
    (["--retry-memory", "2x"], "--retry-memory needs --retries"),
    (["--retry-memory", "x", "--retries", "1"], "it must be a factor from 1.1x to 10x"),
    (["--retry-memory", "1x", "--retries", "1"], "it must be a factor from 1.1x to 10x"),
    (["--retry-memory", "11x", "--retries", "1"], "it must be a factor from 1.1x to 10x"),
  ])
  func `what makes no sense is refused with a sentence`(
    _ flags: [String], _ sentence: String
  ) throws {
    try configure(#"{"engines": {"tower": {"kind": "host"}}}"#)
    let refused = try workshop.sandbox.run(
      "jobrun", ["run"] + flags + ["--", "true"], environment: workshop.environment)
    #expect(refused.status == 64, "\(refused)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }

  @Test func `after an attempt that ran out of memory the next requests more`() throws {
    try configure(
      #"{"engines": {"tight": {"kind": "slurm", "folder": "/f", "through": "tight"}}}"#)
    let asked = workshop.sandbox.path("asked")
    try workshop.sandbox.write(
      """
      #!/bin/sh
      read hello
      echo '{"ev":"ready","v":1,"node":"n"}'
      grep -a --line-buffered -o '"op":"launch".*"memory":[0-9]*' | while read -r line; do
        echo "${line##*:}" >> '\(asked)'
        n=$((n + 1))
        printf '{"ev":"lost","job":1,"attempt":%d,"cause":"outOfMemory","message":""}\\n' $n
      done
      """, to: "bin/ssh", executable: true)
    let path = workshop.sandbox.path("bin") + ":" + (workshop.sandbox.environment["PATH"] ?? "")
    let ran = try workshop.jobrun(
      "run", "--on", "tight", "--require", "memory=1000", "--retries", "2:0s", "--retry-memory",
      "1.5x", "--", "true", environment: ["PATH": path])
    #expect(ran.status == 1, "\(ran.errors)")
    #expect(try String(contentsOfFile: asked, encoding: .utf8) == "1000\n1500\n2250\n")
  }
}
