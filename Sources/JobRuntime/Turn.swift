package import JobCore
package import JobWire

/// What one turn came to: answers to be sent, lines to be fed, actions to be done, in this order.
///
/// The journal has accepted all of it.
package struct Turn {
  /// One announcement with the job as it was at that moment.
  package struct Line: Hashable, Sendable {
    package let number: JobNumber
    package let kind: Announcement.Kind
    package let state: JobState
    /// Nil where jobs are not described to anybody, and for each of many that are accepted in one: a
    /// hundred thousand descriptions are made as they are needed (`JobRuntime.object(of:)`).
    package let object: JobStatus?
    /// Set by the journal.
    package var sequence: UInt64 = 0
  }

  /// A request's answer, kept until what it tells is durable.
  package struct Answer: Hashable, Sendable {
    package let tag: RequestTag
    /// A failure when what it would tell could not be stored.
    package internal(set) var reply: Result<Reply, WireError>
    /// The job it speaks of, as it was then.
    package var object: JobStatus?
    /// The process that was to run what was submitted and did not become a job.
    package var host: JobHost?
  }

  /// A job that this turn has taken in, and under which tag it was asked for.
  package struct Acceptance: Hashable, Sendable {
    package let number: JobNumber
    package let tag: RequestTag
    package let kind: Kind

    package enum Kind: Hashable, Sendable {
      case single
      /// It brings nothing that the others do not share.
      case oneOfMany
      /// It had ended, and makes another attempt.
      case redone
    }
  }

  package internal(set) var accepted: [Acceptance] = []
  package internal(set) var answers: [Answer] = []
  package internal(set) var lines: [Line] = []
  /// Jobs whose end could not be stored, as they are told: they run, with a warning.
  package internal(set) var unstored: [JobStatus] = []
  /// What is to be done to processes and pages, in the scheduler's order.
  package internal(set) var actions: [Effect] = []
  /// Why the journal kept nothing of this turn; what is told and done then needs no keeping.
  package internal(set) var refusal: JournalRefusal?
  /// It was to happen wholly or not at all, and did not happen.
  package internal(set) var isUndone = false

  // What is on its way to the journal only.
  /// Launch specifications of jobs that are new to the journal.
  var specifications: [JobNumber: NewSpecification] = [:]
  /// What jobs are to execute that wait already, in place of what they had.
  var replacements: [JobNumber: [UInt8]] = [:]
  /// What those of them share that were accepted as many in one.
  var batches: [AcceptedBatch] = []
  /// Ended jobs whose hosts have let go, so that what they held may be others' in this very turn.
  var released: [JobNumber] = []

  /// The jobs whose life ended in this turn.
  package var ended: [JobNumber] { lines.filter { $0.kind == .ended }.map(\.number) }

  /// Whether anything in it has to be stored.
  var hasNews: Bool { !lines.isEmpty || !released.isEmpty }
}

extension Reply {
  /// All jobs that the answer speaks of.
  package var numbers: [JobNumber] {
    switch self {
    case .cancelledAll(let numbers), .changedAll(let numbers): numbers
    default: number.map { [$0] } ?? []
    }
  }

  /// The job the answer speaks of, if any.
  package var number: JobNumber? {
    switch self {
    case .accepted(let number), .duplicate(let number), .kept(let number), .done(let number),
      .alreadyStopping(let number), .notLive(let number), .noPrompt(let number),
      .cannotPause(let number, _), .notPaused(let number),
      .acceptedMany(let number, _), .duplicateMany(let number, _):
      number
    case .refused, .cancelledAll, .changedAll: nil
    }
  }
}

extension Effect {
  var isLaunch: Bool { if case .launch = self { true } else { false } }

  /// The job that the effect is about, if any.
  package var number: JobNumber? {
    switch self {
    case .announce(let number, _), .launch(let number, _, _), .sample(let number),
      .stop(let number, _, _), .kill(let number), .released(let number),
      .pause(let number, _, _), .resume(let number, _):
      number
    case .probe, .reply: nil
    }
  }
}
