import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Where outputs go, and how those of many jobs are read.
@Suite struct OutputTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: workshop.sandbox.path(name), encoding: .utf8)
  }

  private func run(_ arguments: String...) throws -> ChildProcess.Finished {
    try workshop.sandbox.run("jobrun", arguments, environment: workshop.environment)
  }

  @Test func `each prints the outputs in the order of the inputs`() throws {
    try workshop.jobrun("slots", "3")
    let script =
      "test $0 != a || while ! test -e go; do sleep 0.01; done; echo $0; test $0 = a || touch go"
    let finished = try run("each", "-f", "--tag", "--", "sh", "-c", script, ":::", "a", "b", "c")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(finished.output == "jobs 1–3\n1\ta\n2\tb\n3\tc\n")
    let headed = try run("each", "-f", "--title", "T {}", "--", "printf", "%s", ":::", "x", "y")
    #expect(headed.output == "jobs 4–5\n==> 4 T x <==\nx\n\n==> 5 T y <==\ny\n")
    #expect(try run("each", "--tag", "--", "echo", ":::", "a").status == 64)
  }

  @Test func `the logs of several jobs are followed until they have ended`() throws {
    try workshop.defineGated("gated")
    let script = "echo begin $0; while ! test -e go; do sleep 0.01; done; echo end $0"
    try workshop.jobrun("slots", "2")
    let batch = try run("each", "--detach", "--id", "--", "sh", "-c", script, ":::", "a", "b")
    #expect(batch.output == "1-2\n")
    for number in ["1", "2"] {
      #expect(try workshop.jobrun("wait", number, "--until", "running").status == 0)
    }
    let log = try workshop.start("log", "-f")
    try log.wait(for: "1\tbegin a")
    try log.wait(for: "2\tbegin b")
    try workshop.sandbox.write("", to: "go")
    let finished = try log.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(
      Set(finished.output.split(separator: "\n"))
        == ["1\tbegin a", "2\tbegin b", "1\tend a", "2\tend b"])
    #expect(try run("log", "1-2", "-f").output == "1\tbegin a\n1\tend a\n2\tbegin b\n2\tend b\n")
  }

  @Test func `output goes to files, which a retry goes on in`() throws {
    try workshop.sandbox.write("old", to: "out-1.txt")
    let script = "echo out; echo err >&2; test -e again || { touch again; exit 1; }"
    let finished = try run(
      "run", "--stdout", "out-%j.txt", "--stderr", workshop.sandbox.path("err.txt"), "--retries",
      "1:1ms", "--", "sh", "-c", script)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try read("out-1.txt") == "out\nout\n")
    #expect(try read("err.txt") == "err\nerr\n")
    #expect(try workshop.show(1).terms.stdout == workshop.sandbox.path("out-1.txt"))
    let both = try run(
      "run", "--stdout", "all.txt", "--stderr", "all.txt", "--", "sh", "-c", "echo a; echo b >&2")
    #expect(both.status == 0)
    #expect(try read("all.txt") == "a\nb\n")
    let batch = try run(
      "each", "--group", "g", "--stdout", "%g-%i.txt", "--", "echo", ":::", "x", "y")
    #expect(batch.status == 0, "\(batch.errors)")
    #expect(try read("g-2.txt") == "y\n")
  }

  @Test func `a file that cannot be written is why the job fails`() throws {
    let finished = try run("run", "--stdout", "/dev/null/out.txt", "--", "true")
    #expect(finished.status == 1)
    #expect(finished.errors.contains("/dev/null"))
    #expect(try run("run", "--stdout", "%x", "--", "true").status == 64)
    #expect(try run("run", "--pty", "--stderr", "x", "--", "true").status == 64)
  }

  @Test func `missing folders of an output are made, and jobs do not share a file`() throws {
    let own = try run(
      "each", "--stdout", "out/%i/a.txt", "--stderr", "/dev/null", "--", "echo", ":::", "x", "y")
    #expect(own.status == 0, "\(own.errors)")
    #expect(try read("out/2/a.txt") == "y\n")
    for name in ["same", "100%%j"] {
      let shared = try run("each", "--stdout", name, "--", "echo", ":::", "x", "y")
      #expect(shared.status == 64)
      #expect(shared.errors.contains("--stdout is \"\(name)\", and jobs 1 and 2 of 2 would"))
      #expect(shared.errors.contains("as in out-%i.txt"))
    }
    #expect(try run("each", "--stdout", "one", "--", "echo", ":::", "x").status == 0)
    #expect(try run("each", "--log", "none", "--", "echo", ":::", "x", "y").status == 0)
  }

  @Test func `files are named by the inputs, and folders with braces are what they are`() throws {
    let folder = workshop.sandbox.path("a {1} %j")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let finished = try run(
      "each", "--cwd", folder, "--stdout", "{2}/{1/.}.{#}", "--stderr", "{1/}%%", "--", "sh", "-c",
      "echo $0 $1; echo e >&2", ":::", "in/x.raw", "%j{2}", ":::", "one", "two words")
    #expect(finished.status == 64, "\(finished.errors)")
    #expect(finished.errors.contains("--stderr is \"{1/}%%\", and jobs 1 and 2 of 4 would"))
    let own = try run(
      "each", "--cwd", folder, "--stdout", "{2}/{1/.}.{#}", "--", "echo", ":::", "in/x.raw",
      "%j{2}", ":::", "one", "two words")
    #expect(own.status == 0, "\(own.errors)")
    #expect(try read("a {1} %j/one/x.1") == "in/x.raw one\n")
    #expect(try read("a {1} %j/two words/x.2") == "in/x.raw two words\n")
    #expect(try read("a {1} %j/two words/%j{2}.4") == "%j{2} two words\n")
    let named = try run(
      "each", "--header", "--stdout", "out-{who}", "--", "echo", ":::", "who", "ann", "bob")
    #expect(named.status == 0, "\(named.errors)")
    #expect(try read("out-bob") == "bob\n")
    #expect(
      try run("each", "--header", "--stdout", "{whom}", "--", "echo", ":::", "who", "ann").status
        == 64)
    #expect(try run("redo", "5").status == 0)
    #expect(try workshop.waitForEnd(5).outcome == .succeeded)
    #expect(try read("out-ann") == "ann\nann\n")
  }

  @Test func `no lines of an output are not no output`() throws {
    #expect(try run("run", "-q", "--", "echo", "a").status == 0)
    let none = try run("log", "1", "--first", "0")
    #expect(none.output.isEmpty && none.errors.isEmpty)
  }

  @Test func `a file in this folder is no command without its path`() throws {
    try workshop.sandbox.write("#!/bin/sh\n", to: "test.sh", executable: true)
    let refused = try run("run", "--", "test.sh")
    #expect(refused.status == 66)
    #expect(refused.errors.contains("on PATH; write ./test.sh for the file in this folder;"))
  }

  @Test func `a log is kept always, of failures, or never`() throws {
    #expect(try run("run", "--log", "none", "--", "echo", "a").status == 0)
    #expect(try workshop.jobrun("log", "1").output.isEmpty)
    let script = "echo its output; while ! test -e go; do sleep 0.01; done"
    let following = try workshop.start("run", "-f", "--log", "failed", "--", "sh", "-c", script)
    // Two seconds after the end its log is removed, whether it was read or not.
    try following.wait(for: "\nits output\n")
    try workshop.sandbox.write("", to: "go")
    #expect(try following.wait().status == 0)
    #expect(try run("run", "--log", "failed", "--", "sh", "-c", "echo c; exit 3").status == 3)
    try WaitFor.noFile(try workshop.show(2).log)
    #expect(try workshop.jobrun("log", "3").output == "c\n")
  }

  @Test func `a job that succeeded is forgotten if that was asked, and one that failed is not`()
    throws
  {
    let script = "while ! test -e go; do sleep 0.01; done"
    let watching = try workshop.start("run", "--forget-on-success", "--", "sh", "-c", script)
    try watching.wait(for: "1 io.jobrun.run.")
    // Two seconds after its end nobody could be told of it any more.
    try WaitFor.answer("a command that watches job 1") { try workshop.show(1).attached == 1 }
    try workshop.sandbox.write("", to: "go")
    #expect(try watching.wait().status == 0)
    #expect(try run("run", "--forget-on-success", "--", "false").status == 1)
    let kept = try workshop.show(2)
    #expect(kept.outcome == .failed)
    try WaitFor.noFile(String(kept.log.dropLast("2.log".count)) + "1.log")
    #expect(try workshop.jobrun("show", "1").status == 66)
  }

  @Test func `the output of a job that is to be forgotten waits for a reader that is late`() throws
  {
    let late = """
      '\(try BuiltProducts.path("jobrun"))' run -f --forget-on-success -- seq 100000 |
      { while ! test -e go; do sleep 0.01; done; grep -c '^[0-9]*$'; }
      """
    let reading = try workshop.sandbox.start("sh", ["-c", late], environment: workshop.environment)
    try WaitFor.answer("the end of job 1") { (try? workshop.show(1))?.outcome == .succeeded }
    // It has ended later, and is gone: the time after which nobody was waited for has passed.
    #expect(try run("run", "--forget-on-success", "--", "true").status == 0)
    try WaitFor.answer("the removal of job 2") { try workshop.jobrun("show", "2").status == 66 }
    try workshop.sandbox.write("", to: "go")
    #expect(try reading.wait().output == "100000\n")
    try WaitFor.answer("the removal of job 1") { try workshop.jobrun("show", "1").status == 66 }
  }

  @Test(arguments: ["stop", "restart"])
  func `the next runner forgets what was still read when the last one left`(leaves: String) throws {
    let late = """
      '\(try BuiltProducts.path("jobrun"))' run -f --forget-on-success -- seq 100000 |
      { while ! test -e go; do sleep 0.01; done; grep -c '^[0-9]*$'; }
      """
    let reading = try workshop.sandbox.start("sh", ["-c", late], environment: workshop.environment)
    try WaitFor.answer("the end of job 1") { (try? workshop.show(1))?.outcome == .succeeded }
    #expect(try run("runner", leaves).status == 0)
    #expect(try run("run", "--", "true").status == 0)
    #expect(try workshop.show(1).outcome == .succeeded)
    try workshop.sandbox.write("", to: "go")
    #expect(try reading.wait().output == "100000\n")
    try WaitFor.answer("the removal of job 1") { try workshop.jobrun("show", "1").status == 66 }
  }

  @Test func `the receipt says that what a job left behind was ended`() throws {
    let script = "sleep 600 & sleep 600 & exit 3"
    let finished = try run("run", "--", "sh", "-c", script)
    #expect(finished.status == 3)
    let sentence = "2 processes that it left running were ended"
    #expect((finished.output + finished.errors).contains("· \(sentence)"), "\(finished.errors)")
    #expect(try workshop.show(1).warning == sentence)
    #expect(workshop.strays() == [])
  }

  @Test func `what a job leaves behind lives on if that was asked`() throws {
    let script = "(exec 1>&- 2>&-; while ! test -e stop; do sleep 0.01; done; touch lived) & exit 0"
    #expect(try run("run", "--keep-background", "--", "sh", "-c", script).status == 0)
    try workshop.sandbox.write("", to: "stop")
    try WaitFor.file(workshop.sandbox.path("lived"))
  }

  @Test func `a script brings its options, and those of the command line win`() throws {
    let text = "#!/bin/sh\n# A job.\n#JOBRUN --title 'Own title' --limit 2h --env A=1\necho $A$B\n"
    try workshop.sandbox.write(text, to: "job.sh", executable: true)
    #expect(try run("run", "-f", "--limit", "1h", "--env", "B=2", "--", "./job.sh").status == 0)
    let job = try workshop.show(1)
    #expect(job.title == "Own title")
    #expect(job.terms.options?.limit == .minutes(60))
    #expect(try workshop.jobrun("log", "1").output == "12\n")
    try workshop.sandbox.write(
      "#!/bin/sh\n#JOBRUN --limitt 2h\n", to: "job.sh", executable: true)
    let wrong = try run("run", "--", "./job.sh")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("./job.sh, line 2: "), "\(wrong.errors)")
  }

  @Test func `history and usage are tables for other programs`() throws {
    #expect(try run("run", "--title", "a, \"b\"", "--", "true").status == 0)
    let history = try workshop.jobrun("history", "--csv", "--format", "number,title,outcome")
    #expect(history.output == "number,title,outcome\r\n1,\"a, \"\"b\"\"\",succeeded\r\n")
    let usage = try workshop.jobrun("usage", "--csv", "--by", "title").output
    #expect(usage.hasPrefix("name,jobs,succeeded,failed,cancelled,seconds,"))
    #expect(usage.contains("\r\n\"a, \"\"b\"\"\",1,1,0,0,"))
    #expect(try run("history", "--csv", "--json").status == 64)
  }

  @Test func `a stop has a reason and a signal`() throws {
    let script =
      "trap 'echo INT; exit 0' INT; trap '' TERM; echo ready; touch ready; while :; do sleep 0.01; done"
    #expect(try run("run", "--detach", "--grace", "3m", "--", "sh", "-c", script).status == 0)
    try WaitFor.file(workshop.sandbox.path("ready"))
    let cancelled = try workshop.jobrun("cancel", "1", "--signal", "INT", "--reason", "wrong data")
    #expect(cancelled.status == 0, "\(cancelled.errors)")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .cancelled)
    #expect(job.stopReason?.message == "wrong data")
    #expect(try workshop.jobrun("log", "1").output.hasPrefix("ready\nINT\n"))
    #expect(try workshop.jobrun("history").output.contains("cancelled: wrong data"))
    #expect(try run("cancel", "1", "--signal", "FOO").status == 64)
  }

  @Test func `a message from inside a job is shown, and does not hide why it failed`() throws {
    let script = "jobrun progress --message half; echo 'error: no space' >&2; exit 4"
    #expect(try run("run", "--", "sh", "-c", script).status == 4)
    #expect(try workshop.show(1).message == "error: no space")
    #expect(try run("run", "--", "sh", "-c", "jobrun progress --message 'all of it'").status == 0)
    #expect(try workshop.show(2).message == "all of it")
    #expect(try run("progress", "--notify").status == 64)
  }
}
