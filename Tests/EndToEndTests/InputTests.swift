import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Jobs' inputs.
@Suite struct InputTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// Runs a shell script in the work folder.
  @discardableResult
  private func shell(_ script: String) throws -> ChildProcess.Finished {
    try workshop.sandbox.run("sh", ["-c", script], environment: workshop.environment)
  }

  private func size(_ name: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: workshop.sandbox.path(name))).count
  }

  /// The copies that lie in the state folder.
  private var copies: [String] {
    (try? FileManager.default.contentsOfDirectory(
      atPath: workshop.sandbox.home + "/state/inputs")) ?? []
  }

  @Test func `what is piped in is what the job reads`() throws {
    let finished = try shell("seq 100000 | jobrun run -- sh -c 'cat > dump.sql'")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try size("dump.sql") == 588_895)
    #expect(try workshop.show(1).terms.input == "pipe")
    #expect(copies == [])
  }

  @Test func `any bytes come through, also to a program with a terminal`() throws {
    let script =
      "head -c 3000000 /dev/urandom > a; cat a | jobrun run --pty -- sh -c 'cat > b'; cmp a b"
    #expect(try shell(script).status == 0)
  }

  @Test func `whoever pipes in hears when the job reads no more`() throws {
    let finished = try workshop.sandbox.start(
      "sh",
      [
        "-c",
        "(yes; echo \"ended $?\" >&2) | jobrun run --"
          + " sh -c 'head -c 4; exec 0<&-; exec sleep 1000'",
      ],
      environment: workshop.environment)
    try finished.wait(for: "ended", on: .errors)
    try workshop.jobrun("cancel", "1", "--now")
    #expect(try finished.wait().status == 130)
  }

  @Test func `with detach a copy is made, which outlives terminal and runner`() throws {
    try workshop.jobrun(
      "run", "--detach", "--title", "first", "--", "sh", "-c", "read x < \"$GATE\"")
    try workshop.jobrun("slots", "1")
    let finished = try shell(
      "seq 100000 | jobrun run --detach -- sh -c 'cat > dump.sql; echo x > \"$READY.done\"'")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try workshop.show(2).state == .queued)
    #expect(try workshop.show(2).terms.input == "copy")
    #expect(copies == ["2"])
    try RecoveryTests.crash(workshop)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try size("dump.sql") == 588_895)
    #expect(copies == [])
  }

  /// A library kills every runner that is about to answer with a job.
  @Test func `a copy stays for a job that was accepted without an answer`() throws {
    let library = workshop.sandbox.path("mute.so")
    try StubLibrary.build(
      text: """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <signal.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
          const struct iovec *text = message->msg_iov;
          if (!strcmp(program_invocation_short_name, "jobrund")
              && memmem(text->iov_base, text->iov_len, "identifier", 10))
            raise(SIGKILL);
          return syscall(SYS_sendmsg, socket, message, flags);
        }
        """, at: library)
    let script = "seq 100000 | LD_PRELOAD=\(library) jobrun run --detach -- sh -c 'cat > dump.sql'"
    let finished = try shell(script)
    #expect(finished.status == 70, "\(finished)")
    #expect(finished.errors.contains("without an answer"), "\(finished)")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try size("dump.sql") == 588_895)
    #expect(copies == [])
  }

  @Test func `a closed terminal takes nothing from a job that reads a copy`() throws {
    let terminal = try Pseudoterminal()
    let command = try workshop.sandbox.start(
      "sh",
      [
        "-c",
        "seq 100000 | jobrun run --retries 1 -- sh -c"
          + " 'echo > \"$READY.1\"; read x < \"$GATE\"; cat > dump.sql'",
      ], on: terminal, environment: workshop.environment)
    try workshop.awaitReady(1)
    terminal.close()
    _ = try command.wait()
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try size("dump.sql") == 588_895)
  }

  @Test func `each attempt reads a copy from its start`() throws {
    let script = "cat >> all; test $JOBRUN_ATTEMPT = 3"
    let finished = try shell("seq 10 | jobrun run --retries 2:10ms -- sh -c '\(script)'")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try size("all") == 3 * 21)
  }

  @Test func `a file is opened anew by each attempt and by redo`() throws {
    try workshop.sandbox.write("one\n", to: "in.txt")
    #expect(
      try workshop.jobrun("run", "--stdin", "in.txt", "--", "sh", "-c", "cat >> all; exit 3").status
        == 3)
    #expect(try workshop.show(1).terms.input == workshop.sandbox.path("in.txt"))
    try workshop.sandbox.write("two\n", to: "in.txt")
    try workshop.jobrun("redo", "1")
    try workshop.waitForEnd(1)
    #expect(
      try String(contentsOfFile: workshop.sandbox.path("all"), encoding: .utf8) == "one\ntwo\n")
    #expect(try shell("jobrun run -- sh -c 'cat >> all' < in.txt").status == 0)
    #expect(try workshop.show(2).terms.input == workshop.sandbox.path("in.txt"))
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("in.txt"))
    try workshop.jobrun("redo", "1")
    let gone = try workshop.waitForEnd(1)
    #expect(gone.outcome == .failed)
    #expect(gone.message?.contains("in.txt") == true, "\(gone.message ?? "")")
  }

  @Test func `redo of a job that read a pipe is refused, as nobody can read it again`() throws {
    #expect(try shell("echo x | jobrun run -- sh -c 'cat; exit 3'").status == 3)
    let refused = try workshop.jobrun("redo", "1")
    #expect(refused.status == 69)
    #expect(refused.errors.contains("came through a pipe, which can be read only once"))
  }

  @Test func `a job whose pipe is gone with its runner fails instead of reading nothing`() throws {
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "read x < \"$GATE\"")
    try workshop.jobrun("slots", "1")
    let waiting = try workshop.sandbox.start(
      "sh", ["-c", "(seq 10; read x < \"$GATE\") | jobrun run -- sh -c 'cat > dump.sql'"],
      environment: workshop.environment)
    try workshop.feed(until: "submitted", of: 2)
    try RecoveryTests.crash(workshop)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try waiting.wait().status == 1)
    let job = try workshop.waitForEnd(2)
    #expect(job.outcome == .failed)
    #expect(job.message?.contains("its input was a pipe") == true, "\(job.message ?? "")")
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("dump.sql")))
  }

  @Test func `a loop that reads lines keeps its own`() throws {
    let script = """
      printf '1\\n2\\n3\\n' > list
      while read n; do jobrun run -- sh -c "cat > got.$n" > /dev/null; done < list
      """
    #expect(try shell(script).status == 0)
    #expect(try String(contentsOfFile: workshop.sandbox.path("got.1"), encoding: .utf8) == "2\n3\n")
    #expect(try String(contentsOfFile: workshop.sandbox.path("got.3"), encoding: .utf8) == "")
  }

  @Test func `none is nothing, and so are a terminal and nothing at all`() throws {
    #expect(try shell("echo x | jobrun run --stdin none -- sh -c 'test -z \"$(cat)\"'").status == 0)
    #expect(try shell("jobrun run -- sh -c 'test -z \"$(cat)\"' <&-").status == 0)
    #expect(try shell("jobrun run -- sh -c 'test -z \"$(cat)\"' < /dev/null").status == 0)
    let terminal = try Pseudoterminal()
    let command = try workshop.start("run", "--", "sh", "-c", "test -z \"$(cat)\"", on: terminal)
    try terminal.read(until: "succeeded")
    #expect(try command.wait().status == 0)
    for number in 1...4 as ClosedRange<UInt64> {
      #expect(try workshop.show(number).terms.input == nil)
    }
  }

  @Test func `what no job can read is refused, and nothing is submitted`() throws {
    let terminal = try Pseudoterminal()
    let command = try workshop.start("run", "--stdin", "/dev/tty", "--", "cat", on: terminal)
    try terminal.read(until: "is a terminal, which a job never reads")
    #expect(try command.wait().status == 64)
    let own = try workshop.start("run", "--stdin", "-", "--", "cat", on: terminal)
    try terminal.read(until: "is a terminal, which a job never reads")
    #expect(try own.wait().status == 64)
    #expect(try workshop.jobrun("run", "--stdin", ".", "--", "cat").status == 64)
    let missing = try workshop.jobrun("run", "--stdin", "missing", "--", "cat")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("--stdin \"missing\" cannot be read"))
    #expect(try workshop.jobrun("list", "--all", "--json").output == "")
  }

  @Test func `a here-document without a name is copied`() throws {
    let script =
      "exec 9> hidden; printf 'a\\nb\\n' >&9; exec < hidden; rm hidden; jobrun run -- sh -c 'cat > got'"
    #expect(try shell(script).status == 0)
    #expect(try size("got") == 4)
    #expect(try workshop.show(1).terms.input == "copy")
  }

  @Test func `whoever waits for the end of a copy is told so`() throws {
    let waiting = try workshop.sandbox.start(
      "sh", ["-c", "(read x < \"$GATE\"; echo x) | jobrun run --detach -- cat"],
      environment: workshop.environment)
    try waiting.wait(for: "reading standard input to its end", on: .errors)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try waiting.wait().status == 0)
    try workshop.waitForEnd(1)
    #expect(try workshop.jobrun("log", "1").output == "x\n")
  }

  @Test func `a definition reads nothing unless a person says so`() throws {
    try workshop.define("reader", "cat > got.$JOBRUN_JOB")
    #expect(try shell("echo x | jobrun submit reader > /dev/null").status == 0)
    #expect(try size("got.1") == 0)
    #expect(try shell("echo x | jobrun submit reader --stdin - > /dev/null").status == 0)
    #expect(try size("got.2") == 2)
  }

  @Test func `without room for the copy nothing is submitted`() throws {
    let disk = try SmallDisk(workshop, size: "4m")
    #expect(try disk.run("jobrun list").status == 0)
    let refused = try disk.run("head -c 9000000 /dev/zero | jobrun run --detach -- cat")
    #expect(refused.status == 73)
    #expect(refused.errors.contains("no copy of the standard input can be made"))
    #expect(refused.errors.contains("nothing was submitted"))
    #expect(try disk.run("jobrun list --all --json; ls \"$JOBRUN_HOME/state/inputs\"").output == "")
    let fits = try disk.run("seq 10 | jobrun run --detach -- cat && jobrun wait 1 && jobrun log 1")
    #expect(fits.output.hasSuffix("\n9\n10\n"), "\(fits)")
  }
}
