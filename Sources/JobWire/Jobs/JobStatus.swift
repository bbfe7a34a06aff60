package import JobCore

/// A job as everybody sees it: the same object in `list`, `show`, `submit` and the feed.
///
/// The runner writes it, every client reads it. On the wire every field is present and null when
/// absent; fields are only ever added.
package struct JobStatus: Hashable, Sendable {
  /// Where the job is in its life; `JobCore.JobState` without what each state knows.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case queued, launching, running, stalled, paused, stopping, ended
  }

  /// The question an advance or a person's answer takes back.
  package struct Prompt: Hashable, Sendable {
    package var question: String
    package var since: WallTime

    package init(question: String, since: WallTime) {
      self.question = question
      self.since = since
    }
  }

  /// That it is paused, or was.
  package struct Paused: Hashable, Sendable {
    /// Since when its processes are stopped; nil while they go on.
    package var since: WallTime?
    /// How long the pauses took that are over.
    package var seconds: Double

    package init(since: WallTime?, seconds: Double) {
      self.since = since
      self.seconds = seconds
    }
  }

  package var number: JobNumber
  package var identifier: String
  /// The definition's short name; nil for a plain command.
  package var definition: String?
  package var title: String
  package var subtitle = ""
  package var state = State.queued
  package var outcome: Outcome?
  package var stopReason: StopReason?
  package var pendingReason: PendingReason?
  /// From 1, in queue order; nil unless queued.
  package var position: Int?
  package var prompt: Prompt?
  package var progress: JobProgress?
  /// The worker's last words, or why it could not be started.
  package var message: String?
  /// From 1; 0 while no attempt was made.
  package var attempt = 0
  /// The worker's exit code, 0…255.
  package var exitCode: Int32?
  /// The signal that killed the worker.
  package var signal: Int32?
  /// The worker's process while it runs.
  package var pid: Int32?
  package var submitted: WallTime
  package var started: WallTime?
  package var ended: WallTime?
  /// Of its ended attempts; what its GPUs used is known after its end.
  package var use = ResourceUse()
  /// Path of the file that holds its output.
  package var log: String
  /// The folder it keeps across attempts.
  package var stateDirectory: String
  /// Leased GPUs by UUID.
  package var gpus: [String] = []
  /// What is wrong with the job though it goes on: silent for long, or a page that makes no sense.
  package var warning: String?
  /// Terminals and programs that watch it.
  package var attached = 0
  /// Until then it has announced to report nothing; nil when it has not, or once that is over.
  package var quietUntil: WallTime?
  package var terms = Terms()
  /// Nil for a job that never was paused.
  package var paused: Paused?
  /// Whether its processes have a control group, and so end and stand still as one; nil while it has
  /// none, and of one whose program was there before it.
  package var controlGroup: Bool?
  /// What its engine calls the attempt, and the machine on which it runs.
  package var engineJob: String?
  package var node: String?

  package init(
    number: JobNumber, identifier: String, title: String, submitted: WallTime, log: String,
    stateDirectory: String
  ) {
    self.number = number
    self.identifier = identifier
    self.title = title
    self.submitted = submitted
    self.log = log
    self.stateDirectory = stateDirectory
  }

  /// Whether it reports nothing at this time because it has announced so.
  package func isQuiet(at now: WallTime) -> Bool {
    quietUntil.map { now < $0 } ?? false
  }

  /// How long it ran, from its first start to its end or to `now`, its pauses not counted; nil for one
  /// that never began.
  package func ran(until now: WallTime) -> Interval? {
    guard let started else { return nil }
    let pauses = Interval.milliseconds(UInt64(max(0, min(paused?.seconds ?? 0, 3e9)) * 1_000))
    return ((ended ?? paused?.since ?? now) - started).less(pauses)
  }

  /// The same of one that has ended; nil before.
  package var ran: Interval? { ended.flatMap { ran(until: $0) } }
}

extension JobStatus.State {
  /// The state's name, without what the core's state knows beside it.
  package init(_ state: JobState) {
    self =
      switch state {
      case .queued, .away: .queued
      case .launching: .launching
      case .running: .running
      case .stalled: .stalled
      case .paused: .paused
      case .stopping: .stopping
      case .ended: .ended
      }
  }
}
