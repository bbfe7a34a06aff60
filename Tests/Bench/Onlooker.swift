import JobCore
import LinuxSystem
import TestKit

/// A terminal attached to a job.
struct Onlooker {
  let terminal: Pseudoterminal
  let process: TestKit.ChildProcess

  /// Returns as soon as the job's title stands on the terminal.
  init(at job: JobNumber, _ bench: Workbench) throws {
    try self.init(startedAt: job, bench)
    try waitForPicture()
  }

  /// Does not wait for a picture.
  init(startedAt job: JobNumber, _ bench: Workbench) throws {
    terminal = try Pseudoterminal()
    process = try bench.sandbox.start(Workbench.command, ["attach", "\(job)"], on: terminal)
  }

  func waitForPicture() throws { _ = try terminal.read(until: "bench") }

  var figures: ProcessFigures { ProcessFigures(pid: process.pid) }
}
