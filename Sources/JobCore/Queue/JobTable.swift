/// All live jobs, found by number, key and identifier.
///
/// A job keeps its *place* (a small index) for all its life; other structures name it by that. Places
/// of ended jobs are given to new ones.
struct JobTable: Sendable {
  private var jobs: [Job] = []
  private var vacantPlaces: [Int] = []
  private var numbers = PlaceIndex()
  private var keys = PlaceIndex()
  /// Of jobs with the same identifier, only the one that its identifier finds.
  private var identifiers = PlaceIndex()

  var count: Int { numbers.count }

  func place(of number: JobNumber) -> Int? {
    numbers.place(hash: placeHash(number)) { jobs[$0].number == number }
  }

  func number(of identifier: JobIdentifier) -> JobNumber? {
    place(of: identifier, hash: placeHash(identifier.text)).map { jobs[$0].number }
  }

  /// The job with the identifier of `terms`.
  func namesake(of terms: JobTerms) -> JobNumber? {
    place(of: terms.submission.identifier, hash: terms.identifierHash).map { jobs[$0].number }
  }

  /// The job with the key of `terms`.
  func twin(of terms: JobTerms) -> JobNumber? {
    let key = terms.submission.key
    return keys.place(hash: terms.keyHash) { jobs[$0].submission.key == key }
      .map { jobs[$0].number }
  }

  /// The job at a place that `place(of:)` or `insert(_:)` gave and that has not been removed.
  subscript(place: Int) -> Job {
    _read { yield jobs[place] }
    _modify { yield &jobs[place] }
  }

  /// Takes a job in; from now on it is the one that its identifier finds.
  mutating func insert(_ job: consuming Job) -> Int {
    let place = vacantPlaces.popLast() ?? jobs.count
    if let namesake = self.place(of: job.submission.identifier, hash: job.terms.identifierHash) {
      identifiers.remove(namesake, hash: job.terms.identifierHash)
    }
    numbers.insert(place, hash: placeHash(job.number))
    keys.insert(place, hash: job.terms.keyHash)
    identifiers.insert(place, hash: job.terms.identifierHash)
    if place == jobs.count { jobs.append(consume job) } else { jobs[place] = consume job }
    return place
  }

  /// Forgets a job; its identifier finds `heir` from now on.
  mutating func remove(at place: Int, heir: JobNumber?) {
    numbers.remove(place, hash: placeHash(jobs[place].number))
    keys.remove(place, hash: jobs[place].terms.keyHash)
    identifiers.remove(place, hash: jobs[place].terms.identifierHash)
    if let heir { prefer(heir) }
    jobs[place].vacate()
    vacantPlaces.append(place)
  }

  /// Makes `number` the one that its identifier finds.
  mutating func prefer(_ number: JobNumber) {
    guard let place = place(of: number) else { return }
    let hash = jobs[place].terms.identifierHash
    if let other = self.place(of: jobs[place].submission.identifier, hash: hash) {
      identifiers.remove(other, hash: hash)
    }
    identifiers.insert(place, hash: hash)
  }

  /// Lets go of the places of a crowd that has gone; only while there is no job.
  mutating func giveBackRoom() {
    guard count == 0, jobs.count > JobTable.roomKept else { return }
    self = JobTable()
  }

  /// As many places as are kept for the next jobs.
  static let roomKept = 1_024

  private func place(of identifier: JobIdentifier, hash: UInt32) -> Int? {
    identifiers.place(hash: hash) { jobs[$0].submission.identifier == identifier }
  }
}
