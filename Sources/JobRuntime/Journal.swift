package import JobCore

/// Where a runtime's decisions survive it.
///
/// Nobody is told of anything, and nothing is started, before the journal has accepted it. It may refuse,
/// as a full disk does; then it has kept nothing of the commit, and gets what is true all the same again
/// with the next one.
package protocol Journal {
  /// Keeps all of a commit or nothing of it, and numbers its lines; what stands in the way otherwise.
  ///
  /// `jobs`: all live jobs, as they are after the turn.
  mutating func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal?

  /// The job that was accepted with this key, live or ended; nil when none was.
  func job(withKey key: String) throws(JournalRefusal) -> JobNumber?

  /// How a job that is not live ended; nil if it did not, or that is unknown.
  func outcome(of number: JobNumber) -> Outcome?
}

/// Why a journal kept nothing of a commit.
package struct JournalRefusal: Error, Hashable, Sendable {
  /// One sentence that a person reads.
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// What one commit makes durable: announcements, with the rows of the jobs that they are about.
package struct Commit {
  /// How sure the journal must be when it has accepted.
  package enum Durability: Hashable, Sendable {
    /// It survives a power cut: acceptance, launch intent, outcome, that a job was told to stop, which
    /// must not run again, and what a person has asked of one that waits.
    case full
    /// It survives a crash of ours: the rest.
    case normal
  }

  /// When the turn took place.
  package let at: WallTime
  /// In the order in which it happened; the journal gives each its sequence number.
  package var lines: [Turn.Line]
  /// Ended jobs whose hosts have let go.
  package let released: [JobNumber]
  /// What those execute that are new to the journal; empty for hosted ones.
  package let specifications: [JobNumber: NewSpecification]
  /// What those execute from now on that the journal has had before.
  package let replacements: [JobNumber: [UInt8]]
  /// What those of them share that were accepted as many in one.
  package let batches: [AcceptedBatch]
  /// Some of the jobs are new, or make another attempt after their end.
  package let hasAcceptances: Bool
  /// What is kept of the job of a line as it was then: an object, or a note (`AcceptanceNote`).
  package let json: (Turn.Line) -> [UInt8]

  package init(
    at: WallTime, lines: [Turn.Line], released: [JobNumber] = [],
    specifications: [JobNumber: NewSpecification] = [:],
    replacements: [JobNumber: [UInt8]] = [:], batches: [AcceptedBatch] = [],
    hasAcceptances: Bool = false,
    json: @escaping (Turn.Line) -> [UInt8] = { _ in [] }
  ) {
    self.at = at
    self.lines = lines
    self.released = released
    self.specifications = specifications
    self.replacements = replacements
    self.batches = batches
    self.json = json
    self.hasAcceptances = hasAcceptances
  }

  /// The jobs that changed, ascending, each once.
  package var changed: [JobNumber] { Set(lines.map(\.number)).sorted() }

  /// The jobs that cannot be redone because they succeeded.
  package var succeeded: [JobNumber] {
    lines.filter { if case .ended(.succeeded, _) = $0.state { true } else { false } }
      .map(\.number)
  }

  package var durability: Durability {
    hasAcceptances || lines.contains { $0.kind.isVital || $0.kind.isSteering } ? .full : .normal
  }
}

extension Announcement.Kind {
  fileprivate var isVital: Bool {
    switch self {
    case .launched, .stopping, .ended: true
    default: false
    }
  }

  /// Whether a person has changed what is asked of a job that waits.
  var isSteering: Bool {
    switch self {
    case .held, .released, .moved, .edited: true
    default: false
    }
  }
}
