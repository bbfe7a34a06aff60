import JobCore
import JobWire

/// The likely next commands, for a person who typed `jobrun` alone.
struct NextSteps {
  private var asking: JobNumber?
  private var paused: JobNumber?
  private var running: JobNumber?
  private var waiting: JobNumber?
  private var count = 0

  /// Notes a job of the list; the first of a kind is the example.
  mutating func add(_ job: JobStatus) {
    count += job.listedCount
    if job.prompt != nil {
      asking = asking ?? job.number
    }
    switch job.state {
    case .paused: paused = paused ?? job.number
    case .launching, .running, .stalled, .stopping: running = running ?? job.number
    case .queued, .ended: waiting = waiting ?? job.number
    }
  }

  /// Three commands, with their meanings; `hasEnded` when the history is not empty.
  func commands(hasEnded: Bool) -> [(command: String, meaning: String)] {
    guard count > 0 else {
      return hasEnded
        ? [
          ("run -- COMMAND", "run a command and watch it"),
          ("history", "show the jobs that have ended"), ("show @", "show the latest job"),
        ]
        : [
          ("run -- COMMAND", "run a command and watch it"),
          ("jobs", "list the jobs that can be submitted"),
          ("help", "list all commands"),
        ]
    }
    var steps: [(command: String, meaning: String)] = []
    if let asking { steps.append(("continue \(asking)", "answer its question (--no stops it)")) }
    if let paused { steps.append(("resume \(paused)", "let it continue")) }
    if let running { steps.append(("attach \(running)", "watch it (d leaves it running)")) }
    if count > 1 { steps.append(("watch", "watch all jobs on one screen")) }
    if let job = running ?? paused ?? asking {
      steps += [("log \(job)", "print its output"), ("cancel \(job)", "stop it")]
    } else if let waiting {
      steps += [
        ("show \(waiting)", "show what it waits for"), ("cancel \(waiting)", "stop it"),
        ("history", "show the jobs that have ended"),
      ]
    }
    return Array(steps.prefix(3))
  }
}
