package import JobCore

/// Stores a runtime's decisions.
///
/// Answers and starts follow only once the journal has accepted them. It may refuse, for example because of a
/// full disk; then it has kept no part of the commit, and gets the announcements that stay true again with the
/// next one.
package protocol Journal {
  /// Stores a whole commit or none of it, and numbers its lines; returns the reason for a refusal.
  ///
  /// `jobs`: all live jobs, as they are after the turn.
  mutating func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal?

  /// The job that was accepted with this key, live or ended; nil when none was.
  func job(withKey key: String) throws(JournalRefusal) -> JobNumber?

  /// How a job that is not live ended; nil if it did not, or that is unknown.
  func outcome(of number: JobNumber) -> Outcome?
}

/// Why a journal refused a commit.
package struct JournalRefusal: Error, Hashable, Sendable {
  /// One sentence for a person.
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// The content of one commit: announcements, with the rows of their jobs.
package struct Commit {
  /// The durability that the journal must guarantee.
  package enum Durability: Hashable, Sendable {
    /// It survives a power cut: acceptance, launch intent, outcome, a stop, which must not run again, and a
    /// person's edits of a waiting job.
    case full
    /// It survives a crash of the runner: all others.
    case normal
  }

  /// When the turn took place.
  package let at: WallTime
  /// In the order in which it happened; the journal gives each its sequence number.
  package var lines: [Turn.Line]
  /// Ended jobs whose hosts have let go.
  package let released: [JobNumber]
  /// Specifications that are new to the journal; empty for hosted jobs.
  package let specifications: [JobNumber: NewSpecification]
  /// New specifications of jobs that the journal already has.
  package let replacements: [JobNumber: [UInt8]]
  /// The shared specifications of accepted batches.
  package let batches: [AcceptedBatch]
  /// Whether some of the jobs are new, or make another attempt after their end.
  package let hasAcceptances: Bool
  /// The stored form of a line's job: an object, or a note (`AcceptanceNote`).
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

  /// Whether a person has edited a waiting job.
  var isSteering: Bool {
    switch self {
    case .held, .released, .moved, .edited: true
    default: false
    }
  }
}
