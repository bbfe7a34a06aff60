package import JobCore

/// The public status of a job: the same object in `list`, `show`, `submit` and the feed.
///
/// The runner writes it, every client reads it. On the wire every field is present and null when
/// absent; fields are only ever added.
package struct JobStatus: Hashable, Sendable {
  /// The state of the job; `JobCore.JobState` without its associated values.
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
    /// When its processes were stopped; nil while they run.
    package var since: WallTime?
    /// The length of the finished pauses.
    package var seconds: Double
    /// When it resumes without being asked to; nil = only a person resumes it, or it is not paused.
    package var until: WallTime?

    package init(since: WallTime?, seconds: Double, until: WallTime? = nil) {
      self.since = since
      self.seconds = seconds
      self.until = until
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
  /// The worker's last message, or why it could not be started.
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
  /// Of its ended attempts; the GPUs' usage is known after its end.
  package var use = ResourceUse()
  /// Path of the file that holds its output.
  package var log: String
  /// The folder it keeps across attempts.
  package var stateDirectory: String
  /// Leased GPUs by UUID.
  package var gpus: [String] = []
  /// A problem with a running job: a long silence, or an invalid page.
  package var warning: String?
  /// The number of terminals and programs that watch it.
  package var attached = 0
  /// The end of an announced quiet phase; nil without one, or once it is over.
  package var quietUntil: WallTime?
  package var terms = Terms()
  /// Nil for a job that never was paused.
  package var paused: Paused?
  /// Whether its processes have a control group, and so end and pause together; nil before they run, and for
  /// hosted jobs.
  package var controlGroup: Bool?
  /// The engine's name for the attempt, and the machine that runs it.
  package var engineJob: String?
  package var node: String?
  /// Of a folded list: the jobs behind it that are not listed.
  package var folded: FoldedJobs?

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

  /// Takes a state with its reasons and its outcome.
  package mutating func enter(_ state: JobState) {
    self.state = State(state)
    (outcome, stopReason, pendingReason) = (state.outcome, state.stopReason, state.pendingReason)
  }

  /// Whether it is in an announced quiet phase.
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

  /// The same for an ended job; nil before.
  package var ran: Interval? { ended.flatMap { ran(until: $0) } }
}

extension JobStatus.State {
  /// The state's name, without its associated values.
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
