package import JobCore

/// What is kept of the acceptance of one of many jobs: what nothing else will tell of that moment.
///
/// The events of a hundred thousand jobs would hold a hundred times as much as was submitted.
package struct AcceptanceNote: Hashable, Sendable {
  package var pendingReason: PendingReason?
  package var position: Int?

  package init(pendingReason: PendingReason?, position: Int?) {
    self.pendingReason = pendingReason
    self.position = position
  }

  /// Nil when these are not the bytes of a note but of a job.
  package init?(json: [UInt8]) {
    guard !json.starts(with: Self.job), let note = try? Self(line: json[...]) else { return nil }
    self = note
  }

  /// How every job object begins.
  private static let job = Array("{\"number\":".utf8)

  /// The job as it was accepted, from what has become of it.
  package func job(from later: JobStatus) -> JobStatus {
    var job = JobStatus(
      number: later.number, identifier: later.identifier, title: later.title,
      submitted: later.submitted, log: later.log, stateDirectory: later.stateDirectory)
    job.definition = later.definition
    job.subtitle = later.subtitle
    job.terms = later.terms
    job.terms.options = nil  // as in every event
    job.pendingReason = pendingReason
    job.position = position
    return job
  }
}

/// An object with fewer fields than a job has, so that it is not mistaken for one.
extension AcceptanceNote: Coded {
  package init() { self.init(pendingReason: nil, position: nil) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&pendingReason, "pendingReason")
    try coder.codeAlways(&position, "position")
  }
}
