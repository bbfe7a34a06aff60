import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit

/// Idle is free: the wake-ups of all idle processes.
enum IdleRows {
  private static let seconds: UInt64 = 10

  static func measure(_ bench: Workbench) throws -> [Row] {
    _ = try bench.channel()
    let runner = try bench.runner()
    settle()
    let alone = rest(of: [runner])[0]
    // As a person starts them: their progress is looked for in files and output.
    for _ in 1...3 {
      try bench.run(bench.jobrun("run", "--detach", "--title", "bench", "--", "sleep", "100000"))
    }
    let jobs = (1...3).map { JobNumber($0) }
    let supervisor = try supervisor(of: jobs[0], bench)
    // Once the machine has been asked to stay awake, five seconds later.
    for _ in 1...4 { settle() }
    let unwatched = rest(of: [runner, supervisor])
    // There are two slots, so that the third waits.
    let still = try Onlooker(at: jobs[0], bench)
    let plain = try bench.sandbox.start(Workbench.command, ["attach", "\(jobs[0])"])
    settle()
    let running = rest(of: [runner, supervisor, still.figures, ProcessFigures(pid: plain.pid)])
    let queued = try Onlooker(at: jobs[2], bench)
    settle()
    let waiting = rest(of: [queued.figures])[0]
    for process in [still.process, plain, queued.process] { process.signal(Signal.terminate) }
    try bench.stopRunner()
    func wakeups(_ name: String, _ rest: Rest, budget: Row.Budget = .atMost(0)) -> Row {
      Row(
        name: "wake-ups in 10 s, \(name)", unit: .count, ours: Series([rest.wakeups]),
        budget: budget)
    }
    return [
      wakeups("nothing to do: runner", alone), wakeups("a still job: runner", unwatched[0]),
      wakeups("a still job: supervisor", unwatched[1]),
      wakeups("a still job that is watched: runner", running[0], budget: .none),
      wakeups("a still job that is watched: supervisor", running[1]),
      wakeups("a still job: attached terminal", running[2], budget: .none),
      Row(
        name: "  of one core", unit: .percent, ours: Series([running[2].share]),
        budget: .atMost(0.5)),
      wakeups("a still job: attached, no terminal", running[3], budget: .none),
      wakeups("a queued job: attached terminal", waiting, budget: .none),
    ]
  }

  /// The activity of an idle process.
  struct Rest {
    var wakeups: Double
    /// Of one core, in percent.
    var share: Double
  }

  /// How often it ran in ten seconds.
  static func wakeups(_ process: ProcessFigures) -> Double { rest(of: [process])[0].wakeups }

  /// Their activity in the same ten seconds.
  private static func rest(of processes: [ProcessFigures]) -> [Rest] {
    let before = processes.map { ($0.switches, $0.cpuSeconds) }
    wait(seconds: seconds)
    return zip(processes, before).map { process, before in
      Rest(
        wakeups: process.switches - before.0,
        share: (process.cpuSeconds - before.1) / Double(seconds) * 100)
    }
  }

  /// The effects of a connection or a start may lag behind.
  static func settle() { wait(seconds: 2) }

  private static func wait(seconds: UInt64) {
    _ = try? Poll.wait([], until: AwakeClock.now() + seconds * 1_000_000_000)
  }

  /// The supervisor of a job, not the template.
  private static func supervisor(of job: JobNumber, _ bench: Workbench) throws -> ProcessFigures {
    let path = bench.paths.runRecord(job, attempt: 1)
    let deadline = AwakeClock.now() + 10_000_000_000
    while AwakeClock.now() < deadline {
      if let started = RunRecord(parsing: (try? File.readAll(path)) ?? []).started {
        return ProcessFigures(pid: started.shim.pid)
      }
      _ = try Poll.wait([], until: AwakeClock.now() + 1_000_000)
    }
    throw Fault("job \(job) has no supervisor")
  }
}
