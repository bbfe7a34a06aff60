/// All live jobs, found by number, key and identifier.
///
/// A job keeps its index for life; other structures refer to it by that. Indices of ended jobs are reused.
struct LiveJobs: Sendable {
  private var jobs: [Job] = []
  private var vacantIndices: [Int] = []
  private var numbers = HashIndex()
  private var keys = HashIndex()
  /// Of several jobs with the same identifier, holds only the preferred one.
  private var identifiers = HashIndex()

  var count: Int { numbers.count }

  func index(of number: JobNumber) -> Int? {
    numbers.index(hash: placeHash(number)) { jobs[$0].number == number }
  }

  func number(of identifier: JobIdentifier) -> JobNumber? {
    index(of: identifier, hash: placeHash(identifier.text)).map { jobs[$0].number }
  }

  /// The job with the identifier of `terms`.
  func job(withIdentifierOf terms: JobTerms) -> JobNumber? {
    index(of: terms.submission.identifier, hash: terms.identifierHash).map { jobs[$0].number }
  }

  /// The job with the key of `terms`.
  func job(withKeyOf terms: JobTerms) -> JobNumber? {
    let key = terms.submission.key
    return keys.index(hash: terms.keyHash) { jobs[$0].submission.key == key }
      .map { jobs[$0].number }
  }

  /// The job at a place that `place(of:)` or `insert(_:)` gave and that has not been removed.
  subscript(index: Int) -> Job {
    _read { yield jobs[index] }
    _modify { yield &jobs[index] }
  }

  /// Adds a job and makes it the preferred one for its identifier.
  mutating func insert(_ job: consuming Job) -> Int {
    let index = vacantIndices.popLast() ?? jobs.count
    if let sameIdentifier = self.index(
      of: job.submission.identifier, hash: job.terms.identifierHash)
    {
      identifiers.remove(sameIdentifier, hash: job.terms.identifierHash)
    }
    numbers.insert(index, hash: placeHash(job.number))
    keys.insert(index, hash: job.terms.keyHash)
    identifiers.insert(index, hash: job.terms.identifierHash)
    if index == jobs.count { jobs.append(consume job) } else { jobs[index] = consume job }
    return index
  }

  /// Forgets a job; its identifier finds `heir` from now on.
  mutating func remove(at index: Int, heir: JobNumber?) {
    numbers.remove(index, hash: placeHash(jobs[index].number))
    keys.remove(index, hash: jobs[index].terms.keyHash)
    identifiers.remove(index, hash: jobs[index].terms.identifierHash)
    if let heir { prefer(heir) }
    jobs[index].vacate()
    vacantIndices.append(index)
  }

  /// Makes `number` the preferred job for its identifier.
  mutating func prefer(_ number: JobNumber) {
    guard let index = index(of: number) else { return }
    let hash = jobs[index].terms.identifierHash
    if let other = self.index(of: jobs[index].submission.identifier, hash: hash) {
      identifiers.remove(other, hash: hash)
    }
    identifiers.insert(index, hash: hash)
  }

  /// Frees the capacity left over from a crowd; only while the table is empty.
  mutating func releaseCapacity() {
    guard count == 0, jobs.count > LiveJobs.roomKept else { return }
    self = LiveJobs()
  }

  /// As many places as are kept for the next jobs.
  static let roomKept = 1_024

  private func index(of identifier: JobIdentifier, hash: UInt32) -> Int? {
    identifiers.index(hash: hash) { jobs[$0].submission.identifier == identifier }
  }
}
