import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// A job whose terminal is a person's: here, on a host and on a node of Slurm.
@Suite struct KeysTests {
  enum Place: String, CaseIterable {
    case here, host, slurm

    func open() throws -> any EngineWorkshop {
      try (self == .slurm ? EngineKind.slurm : .host).open()
    }

    /// Where the runs of a test take place.
    var flags: [String] { self == .here ? [] : ["--on", "red"] }
  }

  /// A shell with a prompt that is not in its title.
  private static let shell = ["sh", "-c", "PS1='rea''dy> ' exec bash --norc --noprofile -i"]

  private func start(
    _ arguments: [String], _ place: any EngineWorkshop, on terminal: Pseudoterminal
  ) throws -> ChildProcess {
    try place.workshop.sandbox.start(
      "jobrun", arguments, on: terminal,
      environment: place.workshop.environment.merging(place.environment) { $1 })
  }

  @Test(arguments: Place.allCases)
  func `a shell has a terminal with keys and size, is left, and is found again`(
    _ place: Place
  ) throws {
    let engine = try place.open()
    let terminal = try Pseudoterminal(columns: 90, rows: 30)
    let run = try start(
      ["run", "--pty", "-i"] + place.flags + ["--"] + Self.shell, engine, on: terminal)
    try terminal.read(until: "attached to the terminal of job 1; Ctrl-] detaches")
    try terminal.read(until: "ready> ")
    try terminal.send("test -t 0 && test -t 1 && stty size\r")
    try terminal.read(until: "30 90\r\n")
    try terminal.resize(columns: 70, rows: 20)
    try terminal.send("stty size\r")
    try terminal.read(until: "20 70\r\n")
    // Ctrl-C is the job's.
    try terminal.send("sh -c 'echo waiting-$((40 + 2)); exec sleep 1000'\r")
    try terminal.read(until: "waiting-42\r\n")
    try terminal.send("\u{3}")
    try terminal.read(until: "ready> ")
    // Keys need not be text.
    try terminal.send("head -n 1 | od -An -tx1\r")
    try terminal.read(until: "-tx1\r\n")
    try terminal.send(bytes: [0xC3, 0x28, 0xFF, 0x0A])
    try terminal.read(until: "c3 28 ff 0a")
    try terminal.send("kept=yes\r\u{1D}")
    try terminal.read(until: "job 1 keeps running; jobrun attach 1 returns to its terminal")
    #expect(try run.wait().status == 122)
    #expect(try engine.workshop.show(1).state == .running)

    let attached = try start(["attach", "1"], engine, on: terminal)
    try terminal.read(until: "attached to the terminal of job 1")
    try terminal.read(until: "c3 28 ff 0a")
    try terminal.send("echo still-$kept; exit 7\r")
    try terminal.read(until: "still-yes\r\n")
    try terminal.read(until: "failed (exit code 7)")
    #expect(try attached.wait().status == 7)
  }

  @Test func `two people type into one job, and what each sees is the same`() throws {
    let engine = try Place.here.open()
    let (mine, yours) = (try Pseudoterminal(), try Pseudoterminal(columns: 60, rows: 10))
    let first = try start(["run", "-i", "--"] + Self.shell, engine, on: mine)
    try mine.read(until: "ready> ")
    let second = try start(["attach", "1"], engine, on: yours)
    try yours.read(until: "ready> ")
    try mine.send("echo from-$((1 + 1)); ")
    try yours.read(until: "from-$((1 + 1)); ")
    try yours.send("stty size; exit\r")
    // The size of who came last.
    try mine.read(until: "from-2\r\n10 60\r\n")
    try yours.read(until: "from-2\r\n10 60\r\n")
    #expect(try first.wait().status == 0)
    #expect(try second.wait().status == 0)
  }

  @Test func `what a program asks a terminal is not asked again of who comes later`() throws {
    let engine = try Place.here.open()
    let terminal = try Pseudoterminal()
    let question = "\u{1B}[6n"
    let run = try start(["run", "-i", "--"] + Self.shell, engine, on: terminal)
    try terminal.read(until: "ready> ")
    try terminal.send("printf 'a\\033[6n\\033]11;?\\007\\033[31mb\\n'; echo do''ne\r")
    try terminal.read(until: "a\(question)\u{1B}]11;?\u{7}\u{1B}[31mb\r\ndone")
    try terminal.send("\u{1D}")
    #expect(try run.wait().status == 122)
    let later = try Pseudoterminal()
    let attached = try start(["attach", "1"], engine, on: later)
    try later.read(until: "a\u{1B}[31mb\r\ndone")
    try later.send("printf 'c\\033[6n\\n'; exit\r")
    // What is new is asked.
    try later.read(until: "c\(question)\r\n")
    #expect(try attached.wait().status == 0)
  }

  @Test func `neither a killed runner nor a closed window ends it or takes a key from it`() throws {
    let engine = try Place.here.open()
    let terminal = try Pseudoterminal()
    let run = try start(["run", "-i", "--"] + Self.shell, engine, on: terminal)
    try terminal.read(until: "ready> ")
    kill(try RestartTests.runner(engine.workshop), SIGKILL)
    try terminal.send("echo alive-$((1 + 1))\r")
    try terminal.read(until: "alive-2\r\n")
    terminal.close()
    _ = try run.wait()
    let other = try Pseudoterminal()
    let attached = try start(["attach", "1"], engine, on: other)
    try other.read(until: "alive-2\r\n")
    try other.send("exit\r")
    #expect(try attached.wait().status == 0)
    #expect(try engine.workshop.show(1).outcome == .succeeded)
  }

  @Test func `a broken connection is made again, and meanwhile no key steers the job`() throws {
    let engine = try Place.host.open()
    let terminal = try Pseudoterminal()
    let run = try start(["run", "-i", "--on", "red", "--"] + Self.shell, engine, on: terminal)
    try terminal.read(until: "ready> ")
    try terminal.send("echo first-$((1 + 1))\r")
    try terminal.read(until: "first-2\r\n")
    try engine.goAway()
    for pid in Workshop.children(of: run.pid, named: "ssh") { kill(pid, SIGKILL) }
    // In the words of ssh, after a try.
    try terminal.read(until: "jobrun: ")
    try terminal.send("d")
    // What was typed before a try is read by then, and not by the one that succeeds.
    try GroupedWorkshop.settle("another try") {
      !Workshop.children(of: run.pid, named: "ssh").isEmpty
    }
    try GroupedWorkshop.settle("its end") {
      Workshop.children(of: run.pid, named: "ssh").isEmpty
    }
    try engine.comeBack()
    // The end of what was there before is shown again.
    try terminal.read(until: "first-2\r\n")
    try terminal.read(until: "ready> ")
    try terminal.send("exit 3\r")
    #expect(try run.wait().status == 3)
  }

  @Test func `a job that is over at once shows what it had to say, and a failure says it once`()
    throws
  {
    let engine = try Place.here.open()
    let terminal = try Pseudoterminal()
    let run = try start(
      ["run", "-i", "--", "sh", "-c", "echo wr$((1))te; exit 3"], engine, on: terminal)
    try terminal.read(until: "failed (exit code 3)")
    #expect(try run.wait().status == 3)
    #expect(terminal.transcript.split(separator: "wr1te").count == 2, "\(terminal.transcript)")
    // What is typed after its end is for the next program.
    try terminal.send("late\r")
    let shell = try start(["list"], engine, on: terminal)
    #expect(try shell.wait().status == 0)
  }

  @Test func `what cannot have keys is refused in a sentence, and nothing is submitted`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.writeEngines([
      ("sge", #""kind": "batch", "preset": "gridengine", "folder": "/tmp/jobs""#)
    ])
    let blind = try workshop.jobrun("run", "-i", "--", "sh")
    #expect(blind.status == 64)
    #expect(blind.errors.contains("--interactive needs a terminal"), "\(blind.errors)")
    for flags in [["--stdin", "none"], ["--stdout", "out"], ["--log", "none"], ["--json"]] {
      let refused = try workshop.sandbox.run(
        "jobrun", ["run", "-i", "--detach"] + flags + ["--", "sh"],
        environment: workshop.environment)
      #expect(refused.status == 64, "\(flags)")
      #expect(refused.errors.contains("--interactive and \(flags[0]) cannot be used together"))
    }
    let queued = try workshop.jobrun("run", "-i", "--detach", "--on", "sge", "--", "sh")
    #expect(queued.status == 69)
    #expect(queued.errors.contains("-i does not work on \"sge\""), "\(queued.errors)")
    #expect(try workshop.jobrun("list", "--all", "--json").output == "")
  }
}
