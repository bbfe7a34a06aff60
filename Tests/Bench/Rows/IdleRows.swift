import JobCore
import LinuxSystem
import TestKit

/// Idle is free: wake-ups of everything that has nothing to do.
enum IdleRows {
  private static let seconds: UInt64 = 10

  static func measure(_ bench: Workbench) throws -> [Row] {
    let channel = try bench.channel()
    let runner = try bench.runner()
    let alone = wakeups(runner)
    let job = try channel.submit(["sleep", "100000"], count: 1)[0]
    let terminal = try Pseudoterminal()
    let attached = try bench.sandbox.start(Workbench.command, ["attach", "\(job)"], on: terminal)
    _ = try terminal.read(until: "bench")
    let shim = ProcessFigures(pid: try supervisor(of: runner))
    let terminalFigures = ProcessFigures(pid: attached.pid)
    // The news of the start may be behind the first picture.
    _ = try Poll.wait([], until: AwakeClock.now() + 2_000_000_000)
    let before = [runner.switches, shim.switches, terminalFigures.switches]
    pause()
    let after = [runner.switches, shim.switches, terminalFigures.switches]
    attached.signal(Signal.terminate)
    try bench.stopRunner()
    let names = ["runner", "supervisor", "attached terminal"]
    let whiles = names.indices.map { index in
      Row(
        name: "wake-ups in 10 s, a still job: \(names[index])", unit: .count,
        ours: Series([after[index] - before[index]]),
        budget: index < 2 ? .atMost(0) : .none)
    }
    return [
      Row(
        name: "wake-ups in 10 s, nothing to do: runner", unit: .count, ours: Series([alone]),
        budget: .atMost(0))
    ] + whiles
  }

  /// How often it ran in ten seconds.
  static func wakeups(_ process: ProcessFigures) -> Double {
    let before = process.switches
    pause()
    return process.switches - before
  }

  static func pause() { _ = try? Poll.wait([], until: AwakeClock.now() + seconds * 1_000_000_000) }

  /// The runner's only child.
  private static func supervisor(of runner: ProcessFigures) throws -> Int32 {
    let path = "/proc/\(runner.pid)/task/\(runner.pid)/children"
    let text = String(decoding: try File.readAll(path), as: UTF8.self)
    guard let pid = text.split(separator: " ").first.flatMap({ Int32($0) }) else {
      throw Fault("the runner has no supervisor")
    }
    return pid
  }
}
