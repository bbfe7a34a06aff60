import JobClient
import JobCore
import JobWire

/// Finds the job that a person means by a name: its title, its definition, its identifier or the last part of
/// that, or the beginning of one of these.
enum JobName {
  /// The number of ended jobs to search, the latest first.
  static let endedSearched = 200

  /// Whether a text can be a name at all: not a number, not `@`, not empty.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("@") && !text.allSatisfy { $0.isNumber || $0 == "-" }
  }

  /// The job of this name; nil without one.
  ///
  /// Live jobs come before ended ones, of which the latest is taken; a full name comes before a beginning.
  ///
  /// `ended`: the latest first.
  ///
  /// - Throws: `usage` when several live jobs match, so that the wrong one is not stopped, and when a beginning
  ///   matches ended jobs of different names.
  static func find(
    _ text: String, among live: [JobStatus], ended: () throws(WireError) -> [JobStatus]
  ) throws(WireError) -> JobStatus? {
    if let found = try one(called(text, .whole, among: live), text) { return found }
    let ended = try ended()
    if let latest = called(text, .whole, among: ended).first { return latest }
    if let found = try one(called(text, .beginning, among: live), text) { return found }
    let found = called(text, .beginning, among: ended)
    guard Set(found.map { $0.definition ?? $0.title }).count > 1 else { return found.first }
    throw WireError(
      .usage,
      "\(text.quoted) is short for several names: \(listed(found)); name one by its number")
  }

  /// The jobs of one submission that share this name, as whole or beginning; nil if the latest job of this name
  /// shares it with none of its submission.
  ///
  /// `jobs`: the latest first.
  static func batch(_ text: String, among jobs: [JobStatus]) -> JobRange? {
    let whole = called(text, .whole, among: jobs)
    let found = whole.isEmpty ? called(text, .beginning, among: jobs) : whole
    guard let latest = found.first, let key = BatchKey(latest),
      found.dropFirst().contains(where: { BatchKey($0) == key })
    else { return nil }
    let size = jobs.filter { BatchKey($0) == key }.map { key.place(of: $0.number) }.max() ?? 1
    return key.range(count: max(size, latest.terms.batchSize ?? 1))
  }

  private static func one(_ live: [JobStatus], _ text: String) throws(WireError) -> JobStatus? {
    guard live.count > 1 else { return live.first }
    throw WireError(
      .usage,
      "\(live.count) live jobs are called \(text.quoted): \(listed(live)); name one by its number")
  }

  /// How a text and a name are held against each other.
  private enum Match {
    case whole, beginning
  }

  private static func called(
    _ text: String, _ match: Match, among jobs: [JobStatus]
  ) -> [JobStatus] {
    switch match {
    case .whole:
      return jobs.filter { names(of: $0).contains(text) || lastPart(of: $0) == text }
    case .beginning:
      let beginning = text.lowercased()
      return jobs.filter { job in
        // The end of a plain command's identifier is generated.
        let isGiven = !job.identifier.hasPrefix(Submitter.commandPrefix + ".")
        return (names(of: job) + (isGiven ? [lastPart(of: job)] : []))
          .contains { $0.lowercased().hasPrefix(beginning) }
      }
    }
  }

  private static func names(of job: JobStatus) -> [String] {
    [job.title, job.identifier] + (job.definition.map { [$0] } ?? [])
  }

  private static func lastPart(of job: JobStatus) -> String {
    job.identifier.split(separator: ".").last.map(String.init) ?? ""
  }

  private static func listed(_ jobs: [JobStatus]) -> String {
    let names = jobs.prefix(5).map { "\($0.number) (\(SafeText.shown($0.title)))" }
    return names.joined(separator: ", ") + (jobs.count > 5 ? " and \(jobs.count - 5) more" : "")
  }
}
