import JobWire

/// Which job a person means by a name: its title, its definition, its identifier or the last part of
/// that, or the beginning of one of these.
enum JobName {
  /// Ended jobs that are looked through, the latest first.
  static let endedSearched = 200

  /// Whether a text can be a name at all: not a number, not `@`, not empty.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("@") && !text.allSatisfy { $0.isNumber || $0 == "-" }
  }

  /// The one live job that is called so; nil when none is.
  ///
  /// - Throws: `usage`, when there are several: the wrong one must not be stopped.
  static func live(_ text: String, among jobs: [JobStatus]) throws(WireError) -> JobStatus? {
    let found = called(text, among: jobs)
    guard found.count > 1 else { return found.first }
    throw WireError(
      .usage,
      "\(found.count) live jobs are called \(text.quoted): \(listed(found)); name one by its number"
    )
  }

  /// The latest ended job that is called so; nil when none is.
  ///
  /// `jobs`: the latest first.
  /// - Throws: `usage`, when a beginning fits jobs of different names.
  static func ended(_ text: String, among jobs: [JobStatus]) throws(WireError) -> JobStatus? {
    let exact = jobs.filter { names(of: $0).contains(text) }
    if let latest = exact.first { return latest }
    let found = called(text, among: jobs)
    guard Set(found.map { $0.definition ?? $0.title }).count > 1 else { return found.first }
    throw WireError(
      .usage,
      "\(text.quoted) is short for several names: \(listed(found)); name one by its number")
  }

  /// Those with exactly this name; without any, those whose names begin so.
  private static func called(_ text: String, among jobs: [JobStatus]) -> [JobStatus] {
    let exact = jobs.filter { names(of: $0).contains(text) }
    guard exact.isEmpty else { return exact }
    let beginning = text.lowercased()
    return jobs.filter { names(of: $0).contains { $0.lowercased().hasPrefix(beginning) } }
  }

  private static func names(of job: JobStatus) -> [String] {
    let last = job.identifier.split(separator: ".").last.map(String.init) ?? ""
    return [job.title, job.identifier, last] + (job.definition.map { [$0] } ?? [])
  }

  private static func listed(_ jobs: [JobStatus]) -> String {
    let names = jobs.prefix(5).map { "\($0.number) (\(SafeText.shown($0.title)))" }
    return names.joined(separator: ", ") + (jobs.count > 5 ? " and \(jobs.count - 5) more" : "")
  }
}
