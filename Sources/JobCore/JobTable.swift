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
    numbers.place(hash: placeHash(number.value)) { jobs[$0].number == number }
  }

  func number(of identifier: JobIdentifier) -> JobNumber? {
    place(of: identifier, hash: placeHash(identifier.text)).map { jobs[$0].number }
  }

  func number(ofKey key: String) -> JobNumber? {
    keys.place(hash: placeHash(key)) { jobs[$0].submission.key == key }.map { jobs[$0].number }
  }

  /// The job at a place that `place(of:)` or `insert(_:)` gave and that has not been removed.
  subscript(place: Int) -> Job {
    _read { yield jobs[place] }
    _modify { yield &jobs[place] }
  }

  /// Takes a job in; from now on it is the one that its identifier finds.
  mutating func insert(_ job: consuming Job) -> Int {
    let place = vacantPlaces.popLast() ?? jobs.count
    if let namesake = self.place(of: job.submission.identifier, hash: job.identifierHash) {
      identifiers.remove(namesake, hash: job.identifierHash)
    }
    numbers.insert(place, hash: placeHash(job.number.value))
    keys.insert(place, hash: job.keyHash)
    identifiers.insert(place, hash: job.identifierHash)
    if place == jobs.count { jobs.append(job) } else { jobs[place] = job }
    return place
  }

  /// Forgets a job; its identifier finds `heir` from now on.
  mutating func remove(at place: Int, heir: JobNumber?) {
    numbers.remove(place, hash: placeHash(jobs[place].number.value))
    keys.remove(place, hash: jobs[place].keyHash)
    identifiers.remove(place, hash: jobs[place].identifierHash)
    if let heir { prefer(heir) }
    jobs[place] = Job.vacant
    vacantPlaces.append(place)
  }

  /// Makes `number` the one that its identifier finds.
  mutating func prefer(_ number: JobNumber) {
    guard let place = place(of: number) else { return }
    let hash = jobs[place].identifierHash
    if let other = self.place(of: jobs[place].submission.identifier, hash: hash) {
      identifiers.remove(other, hash: hash)
    }
    identifiers.insert(place, hash: hash)
  }

  private func place(of identifier: JobIdentifier, hash: UInt32) -> Int? {
    identifiers.place(hash: hash) { jobs[$0].submission.identifier == identifier }
  }
}

extension Job {
  /// What stands where no job is.
  fileprivate static let vacant = Job(
    number: JobNumber(0),
    submission: Submission(
      key: "", identifier: JobIdentifier(trusted: "vacant"), speaksPage: false),
    attempt: 0, phase: .launching, at: Instant(nanoseconds: 0))
}
