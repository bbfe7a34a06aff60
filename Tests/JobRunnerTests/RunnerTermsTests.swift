import JobRunner
import LinuxSystem
import Testing

@Suite struct RunnerTermsTests {
  /// Terms with no limit but `nofile`, on processors 0 and 1.
  private func terms(
    nofile: String = "1024,4096", nice: String = "0", policy: Int = 0, score: Int = 0,
    privileges: Int = 0, processors: Int = 3
  ) throws -> ProcessTerms {
    let limits = [String](repeating: "-,-", count: 16).enumerated().map { $0 == 7 ? nofile : $1 }
    let rest = [nice, "\(policy)", "0", "0", "\(score)", "0", "\(privileges)", "\(processors)"]
    return try #require(ProcessTerms((limits + rest).joined(separator: ",")))
  }

  @Test func `what is as usual is not told`() throws {
    let runner = RunnerTerms(try terms(), mayRaise: false, mayHasten: false)
    #expect(runner.differences(of: try terms()) == [])
    #expect(runner.note == nil)
  }

  @Test func `what a job brings is told, and what it cannot get`() throws {
    let asked = try terms(
      nofile: "8192,8192", nice: "5", policy: 3, score: 200, privileges: 1, processors: 1)
    let runner = RunnerTerms(try terms(), mayRaise: false, mayHasten: false)
    #expect(
      runner.differences(of: asked) == [
        "nice 5", "scheduling batch", "processors 0", "oom_score_adj 200", "no new privileges",
        "nofile 4096 (8192 asked)",
      ])
    let root = RunnerTerms(try terms(), mayRaise: true, mayHasten: true)
    #expect(root.differences(of: asked).last == "no new privileges")
    #expect(root.differences(of: try terms(nofile: "100,100")) == ["nofile 100"])
    let confined = RunnerTerms(
      try terms(nice: "9", score: 300, privileges: 1), mayRaise: false, mayHasten: false)
    #expect(
      confined.differences(of: try terms()) == [
        "nice 9 (0 asked)", "oom_score_adj 300 (0 asked)",
        "no new privileges, as the runner has none",
      ])
    #expect(confined.note?.contains("(nice 9)") == true)
  }
}
