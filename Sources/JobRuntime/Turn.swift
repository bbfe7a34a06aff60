package import JobCore
package import JobWire

/// The result of one turn: answers to send, lines for the feed, and actions, in this order.
///
/// The journal has accepted all of it.
package struct Turn {
  /// One announcement with the job as it was at that moment.
  package struct Line: Hashable, Sendable {
    package let number: JobNumber
    package let kind: Announcement.Kind
    package let state: JobState
    /// Nil if jobs are not described, and for the jobs of an accepted batch: a hundred thousand descriptions
    /// are made only on demand (`JobRuntime.object(of:)`).
    package let object: JobStatus?
    /// Set by the journal.
    package var sequence: UInt64 = 0
  }

  /// A request's answer, kept until its content is durable.
  package struct Answer: Hashable, Sendable {
    package let tag: RequestTag
    /// A failure if its content could not be stored.
    package internal(set) var reply: Result<Reply, WireError>
    /// The job in the answer, as it was then.
    package var object: JobStatus?
    /// The process that would have hosted a submission that did not become a job.
    package var host: JobHost?
  }

  /// A job that this turn has taken in, and under which tag it was asked for.
  package struct Acceptance: Hashable, Sendable {
    package let number: JobNumber
    package let tag: RequestTag
    package let kind: Kind

    package enum Kind: Hashable, Sendable {
      case single
      /// It has no content beside the shared one.
      case oneOfMany
      /// It had ended, and makes another attempt.
      case redone
    }
  }

  package internal(set) var accepted: [Acceptance] = []
  package internal(set) var answers: [Answer] = []
  package internal(set) var lines: [Line] = []
  /// Jobs whose end could not be stored, as shown: running, with a warning.
  package internal(set) var unstored: [JobStatus] = []
  /// Actions on processes and pages, in the scheduler's order.
  package internal(set) var actions: [Effect] = []
  /// Why the journal refused this turn; its remaining answers and actions need no storage.
  package internal(set) var refusal: JournalRefusal?
  /// Whether it had to succeed as a whole, and was undone.
  package internal(set) var isUndone = false

  // Only for the journal.
  /// Launch specifications of jobs that are new to the journal.
  var specifications: [JobNumber: NewSpecification] = [:]
  /// New specifications of waiting jobs that the journal already has.
  var replacements: [JobNumber: [UInt8]] = [:]
  /// The shared specifications of accepted batches.
  var batches: [AcceptedBatch] = []
  /// Ended jobs whose hosts have let go, so that their resources may be reused in this turn.
  var released: [JobNumber] = []

  /// The jobs whose life ended in this turn.
  package var ended: [JobNumber] { lines.filter { $0.kind == .ended }.map(\.number) }

  /// Whether anything in it has to be stored.
  var hasNews: Bool { !lines.isEmpty || !released.isEmpty }
}

extension Reply {
  /// All jobs in the answer.
  package var numbers: [JobNumber] {
    switch self {
    case .cancelledAll(let numbers), .changedAll(let numbers): numbers
    default: number.map { [$0] } ?? []
    }
  }

  /// The job in the answer, if there is one.
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
    case .probe, .survey, .reply: nil
    }
  }
}
