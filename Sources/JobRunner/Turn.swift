import JobCore
import JobStore
import JobWire

/// Everything that one turn of the loop decided, on its way to the store, the processes and the
/// clients, in this order.
struct Turn {
  /// One announcement with the job as it was at that moment.
  struct Line {
    let number: JobNumber
    let kind: Announcement.Kind
    let object: JobObject
    /// Set by the store.
    var sequence: UInt64 = 0
  }

  /// A request's answer, kept until what it tells is durable.
  struct Answer {
    let tag: RequestTag
    let reply: Reply
    /// The job it speaks of, as it was then.
    let object: JobObject?
  }

  /// How everything was before the turn.
  struct Before {
    let core: JobCore
    let cards: CardTable

    init(_ core: JobCore, _ cards: CardTable) {
      self.core = core
      self.cards = cards
    }
  }

  /// Set when the turn is to have happened wholly or not at all, as its event ends another job.
  ///
  /// A copy of the core is dear, so other turns go without.
  var before: Before?
  var lines: [Line] = []
  var answers: [Answer] = []
  /// Jobs that ended in this turn or just before, by the keys of their submissions: the core has forgotten them, and
  /// the store does not know of it yet.
  var endedKeys: [String: JobNumber] = [:]
  /// Ended jobs whose hosts have let go, so that what they held may be others' in this very turn.
  var released: [JobNumber] = []
  /// What is to be done to processes and pages, in the core's order.
  var actions: [Effect] = []
  /// Launch specifications of jobs accepted in this turn, stored with their rows.
  var specifications: [JobNumber: [UInt8]] = [:]

  /// What follows the ends of this turn; set with them by the store.
  var endCommands: [EndCommandRow] = []

  /// Ended jobs that make another attempt since this turn.
  var redone: Set<JobNumber> = []

  /// The jobs that changed, ascending, each once.
  var changed: [JobNumber] {
    Set(lines.map(\.number)).sorted()
  }

  /// The jobs that nobody will do again: they succeeded.
  var settled: [JobNumber] {
    lines.filter { $0.kind == .ended && $0.object.outcome == .succeeded }.map(\.number)
  }

  /// The jobs whose life ended in this turn.
  var ended: [JobNumber] {
    lines.filter { $0.kind == .ended }.map(\.number)
  }
}
