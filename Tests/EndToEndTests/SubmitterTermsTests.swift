import Foundation
import Glibc
import TestKit
import Testing

/// The limits, the scheduling and the processors of the submitting shell, which apply only to its jobs.
@Suite struct SubmitterTermsTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Prints a process's terms.
  private static let look = """
    cat /proc/self/limits /proc/self/oom_score_adj /proc/self/personality 2>&1
    cut -d ' ' -f 19,41 /proc/self/stat
    grep -E 'Cpus_allowed_list|NoNewPrivs' /proc/self/status

    """

  /// Restrictions in a shell; without root some are irreversible.
  private static let confinement =
    "ulimit -Sn 100; ulimit -St 3000; ulimit -Sv 80000000; ulimit -Sf 900000;"
    + " echo 300 > /proc/self/oom_score_adj; taskset -p -c 0 $$ > /dev/null;"
    + (geteuid() == 0 ? " renice -n 7 -p $$ > /dev/null; chrt -b -p 0 $$;" : "")

  /// The output of a script in a separate shell, including its effects in other shells.
  private func shell(_ script: String) throws -> String {
    let finished = try workshop.sandbox.run(
      "sh", ["-c", script], environment: workshop.environment)
    #expect(finished.status == 0, "\(finished)")
    return finished.output
  }

  private func job(_ confinement: String = "") throws -> String {
    try workshop.sandbox.write(Self.look, to: "look")
    _ = try shell("\(confinement) jobrun run -- sh look > /dev/null")
    return try workshop.jobrun("log", "@").output
  }

  @Test func `the first shell's are not the runner's, nor another job's`() throws {
    let confined = try shell(Self.confinement + Self.look)
    let usual = try shell(Self.look)
    #expect(confined != usual)
    #expect(try job(Self.confinement) == confined)
    #expect(try job() == usual)
    #expect(try !workshop.jobrun("show", "@").output.contains("\nlimits"))
    // A redo from another shell uses the original terms.
    let script = Self.look + "exit 3"
    try workshop.sandbox.write(script, to: "script")
    _ = try shell("\(Self.confinement) jobrun run -- sh script > /dev/null; [ $? = 3 ]")
    #expect(try workshop.jobrun("redo", "3").status == 0)
    #expect(try workshop.jobrun("wait", "3").status == 3)
    let log = try workshop.jobrun("log", "3").output
    #expect(log.hasPrefix(confined) && log.hasSuffix(confined) && log != confined, "\(log)")
    let runner = try RestartTests.runner(workshop)
    let limits = try String(contentsOfFile: "/proc/\(runner)/limits", encoding: .utf8)
    #expect(!limits.contains(" 3000 ") && !limits.contains(" 80000000 "), "\(limits)")
    let status = try String(contentsOfFile: "/proc/\(runner)/status", encoding: .utf8)
    let list = try shell("grep Cpus_allowed_list /proc/self/status")
    #expect(status.contains(list), "\(status)")
  }

  @Test func `what a job brought is told`() throws {
    _ = try job()
    _ = try job(Self.confinement)
    let told = try workshop.jobrun("show", "2").output
    for text in ["cpu 3000 s", "nofile 100", "oom_score_adj 300", "fsize "] {
      #expect(told.contains(text), "\(told)")
    }
    let object = try workshop.jobrun("show", "2", "--json").output
    #expect(object.contains("\"limits\":[\"") && object.contains("\"nofile 100\""), "\(object)")
    #expect(try workshop.jobrun("show", "1", "--json").output.contains("\"limits\":[]"))
  }

  @Test func `a hard limit that the runner has and cannot lift is told`() throws {
    let sandbox = workshop.sandbox
    // Root could lift it: use another user, or root without its capabilities.
    let prefix =
      geteuid() == 0 ? "setpriv --bounding-set=-sys_resource,-sys_nice --inh-caps=-all " : ""
    let starting = "ulimit -n 500; ulimit -t 5000; nice -n 3 \(prefix)jobrun run -- true"
    #expect(try sandbox.run("sh", ["-c", starting]).status == 0)
    let status = try workshop.jobrun("runner", "status").output
    #expect(
      status.contains("this runner was started under limits that it cannot lift"), "\(status)")
    #expect(status.contains("cpu 5000 s") && status.contains("nice 3"), "\(status)")
    #expect(try workshop.jobrun("run", "--", "sh", "-c", "ulimit -n").status == 0)
    let told = try workshop.jobrun("show", "@").output
    #expect(told.contains("nofile 500 (") && told.contains(" asked)"), "\(told)")
    #expect(told.contains("cpu 5000 s (no limit asked)"), "\(told)")
    #expect(try workshop.jobrun("log", "@").output == "500\n")
  }
}
