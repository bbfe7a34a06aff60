import JobCore
import JobWire

extension Flag {
  static let ofEngine = Flag(
    "on", .text("ENGINE"), "of this engine or pool; here is this machine")
  static let outcomes = Flag(
    "outcome", .list("OUTCOME,…"),
    "only jobs with one of these outcomes: "
      + Outcome.allCases.map { $0.rawValue }.joined(separator: ", "))
  static let states = Flag(
    "state", .list("STATE,…"),
    "only jobs in one of these states: "
      + JobStatus.State.allCases.map { $0.rawValue }.joined(separator: ", "))
}

/// Selects jobs by outcome, state, group, engine or title.
struct JobFilter {
  private let outcomes: Set<Outcome>
  private let states: Set<JobStatus.State>
  private let group: String?
  private let title: String?
  private let engine: String?

  init(_ invocation: Invocation) throws(WireError) {
    outcomes = try Self.words(of: .outcomes, invocation)
    states = try Self.words(of: .states, invocation)
    group = try invocation.text(.ofGroup).map { text throws(WireError) in
      try GroupName(checking: text).text
    }
    title = invocation.text(.titlePart)?.lowercased()
    engine = invocation.text(.ofEngine)
  }

  /// Whether anything is asked for.
  var isSet: Bool { selects || group != nil }

  /// Whether anything but a group is asked for.
  var selects: Bool { wantsEnded || !states.isEmpty || title != nil || engine != nil }

  /// Whether jobs that have ended are asked for.
  var wantsEnded: Bool { !outcomes.isEmpty || states.contains(.ended) }

  func includes(_ job: JobStatus) -> Bool {
    if !outcomes.isEmpty, job.outcome.map({ !outcomes.contains($0) }) ?? true { return false }
    if !states.isEmpty, !states.contains(job.state) { return false }
    if let group, job.terms.group != group { return false }
    if let engine, job.terms.engine ?? EngineName.here != engine, job.terms.pool != engine {
      return false
    }
    return title.map { job.title.lowercased().holds($0) } ?? true
  }

  private static func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(
    of flag: Flag, _ invocation: Invocation
  ) throws(WireError) -> Set<Word> {
    var found: Set<Word> = []
    // An empty word is wrong, too: no filter at all would mean the latest job.
    for text in invocation.words(flag).flatMap({
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }) {
      let known = Word.allCases.map { $0.rawValue }
      let word = try Invocation.word(text, of: known, for: flag)
      found.formUnion(Word.allCases.filter { $0.rawValue == word })
    }
    return found
  }
}
