import JobCore
import JobRuntime
import JobStore
import JobWire

/// Finds what is asked about jobs, live or ended.
final class JobLookup: JobDirectory {
  private let runtime: JobRuntime
  private let store: Store
  private let paths: Paths
  private let sampler: PageSampler
  private let executors: [any Executor]
  /// Jobs whose end is told and that are still live for what is to be done because of it.
  var retiring: [JobNumber] = []

  init(
    runtime: JobRuntime, store: Store, paths: Paths, sampler: PageSampler,
    executors: [any Executor]
  ) {
    self.runtime = runtime
    self.store = store
    self.paths = paths
    self.sampler = sampler
    self.executors = executors
  }

  var sequence: UInt64 { runtime.sequence }
  var lastLook: UInt64 { sampler.lastLook }
  var liveNumbers: OrderedNumbers { runtime.jobs.numbers }
  var isHeld: Bool { runtime.scheduler.isPaused }
  var isAnyRunning: Bool { executors.contains { !$0.numbers.isEmpty } }
  /// Whether this job has an attempt at work.
  func isRunning(_ number: JobNumber) -> Bool { executors.contains { $0.runs(number) } }

  var runningNumbers: [JobNumber] { executors.flatMap { Array($0.numbers) }.sorted() }

  func isObserved(_ number: JobNumber) -> Bool { executors.contains { $0.isObserved(number) } }

  func lastLook(at number: JobNumber) -> JobLook? { runtime.jobs[number]?.look }

  func sample(_ number: JobNumber) {
    for executor in executors { executor.sample(number) }
  }

  func object(of number: JobNumber) -> JobStatus? { runtime.object(of: number, at: .now()) }

  func progress(of number: JobNumber) -> JobProgress? {
    runtime.jobs[number]?.progress(at: .now(), .now())
  }

  func freshObject(of number: JobNumber, isBrief: Bool) -> JobStatus? {
    sample(number)
    return runtime.object(of: number, at: .now(), isBrief: isBrief)
  }

  func stored(_ number: JobNumber) -> JobStatus? {
    ((try? store.job(number)) ?? nil)?.object(paths: paths)
  }

  /// The job that a person means, live or ended, as it is known; `isFresh`: after a look at its page.
  func find(_ reference: JobReference, isFresh: Bool = false) throws(WireError) -> JobStatus {
    switch reference {
    case .number(let number):
      guard let object = known(number, isFresh) else { throw unknown(number) }
      return object
    case .identifier(let identifier):
      if let number = runtime.scheduler.number(of: identifier),
        let object = isFresh ? freshObject(of: number) : object(of: number)
      {
        return object
      }
      guard let row = (try? store.latestJob(identifier)) ?? nil else {
        throw WireError(.notFound, "no job has the identifier \(identifier)")
      }
      return row.object(paths: paths)
    case .latest(let back):
      guard let number = (try? store.latestNumber(before: back)) ?? nil,
        let object = known(number, isFresh)
      else {
        throw WireError(
          .notFound, back == 0 ? "there is no job yet" : "there are fewer than \(back + 1) jobs")
      }
      return object
    }
  }

  private func known(_ number: JobNumber, _ isFresh: Bool) -> JobStatus? {
    (isFresh ? freshObject(of: number) : object(of: number)) ?? stored(number)
  }

  /// How many of these jobs have ended, and how.
  func tally(_ range: JobRange) throws(WireError) -> JobTally {
    let numbers = runtime.jobs.numbers
    let ended = retiring.filter(range.contains)
    var tally = JobTally(
      live: numbers.countBelow(JobNumber(range.last.value + 1)) - numbers.countBelow(range.first)
        - ended.count)
    tally.running = Set(runningNumbers.filter(range.contains)).subtracting(ended)
    do throws(StoreError) {
      for ended in try store.outcomes(in: range) {
        switch ended.outcome {
        case .succeeded: tally.succeeded += ended.count
        case .cancelled: tally.cancelled += ended.count
        case .failed, .expired, .interrupted, .refused:
          tally.failed += ended.count
          guard tally.firstFailed.map({ ended.first < $0 }) ?? true else { continue }
          tally.firstFailed = ended.first
          tally.exitCode = ExitCode.of(ended.outcome, workerCode: ended.exitCode)
        }
      }
    } catch {
      throw WireError(error.code, "jobs \(range) cannot be read: \(error.message)")
    }
    return tally
  }

  /// The number of the live job that a person means.
  func live(_ reference: JobReference) throws(WireError) -> JobNumber {
    let object = try find(reference)
    guard object.state != .ended else { throw Self.ended(object) }
    return object.number
  }

  /// Refuses a number that no job has.
  func checkExists(_ number: JobNumber) throws(WireError) {
    guard runtime.jobs[number] == nil, stored(number) == nil else { return }
    throw unknown(number)
  }

  /// Says as well whether there ever was one with this number.
  func unknown(_ number: JobNumber) -> WireError {
    let sentence = "there is no job \(number)"
    guard let next = try? store.nextNumber() else { return WireError(.notFound, sentence) }
    if number < next { return WireError(.notFound, sentence + " any more") }
    let known =
      next.value > 1
      ? "the highest number so far is \(next.value - 1)" : "no job has been submitted yet"
    return WireError(.notFound, "\(sentence): \(known)")
  }

  static func ended(_ object: JobStatus) -> WireError {
    let how = object.outcome.map { " (\($0.rawValue))" } ?? ""
    return WireError(.notFound, "job \(object.number) has already ended\(how)")
  }
}
