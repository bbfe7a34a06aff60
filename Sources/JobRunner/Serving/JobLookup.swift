import JobCore
import JobRuntime
import JobStore
import JobWire

/// Finds live and ended jobs.
final class JobLookup: JobDirectory {
  let runtime: JobRuntime
  private let store: Store
  private let paths: Paths
  private let sampler: PageSampler
  private let executors: [any Executor]
  /// Jobs whose end is announced, but that stay live until the resulting actions are done.
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

  func lastLook(at number: JobNumber) -> ChangeMarker? { runtime.jobs[number]?.look }

  func group(of number: JobNumber) -> GroupName? {
    runtime.jobs[number]?.submission.options.group
  }

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

  /// The job that a reference names, live or ended; `isFresh`: after a new sample.
  func find(_ reference: JobReference, isFresh: Bool = false) throws(WireError) -> JobStatus {
    switch reference {
    case .number(let number):
      guard let object = try known(number, isFresh) else { throw unknown(number) }
      return object
    case .identifier(let identifier):
      if let number = runtime.scheduler.number(of: identifier),
        let object = isFresh ? freshObject(of: number) : object(of: number)
      {
        return object
      }
      let row = try read { () throws(StoreError) in try store.latestJob(identifier) }
      guard let row else {
        throw WireError(.notFound, "no job has the identifier \(identifier)")
      }
      return row.object(paths: paths)
    case .key(let key):
      let row = try read { () throws(StoreError) in try store.job(key: key) }
      guard let row, let object = try known(row.number, isFresh) else {
        throw WireError(.notFound, "no job was submitted with the key \(SafeText.shown(key))")
      }
      return object
    case .latest(let back):
      let number = try read { () throws(StoreError) in try store.latestNumber(before: back) }
      guard let number, let object = try known(number, isFresh)
      else {
        throw WireError(
          .notFound, back == 0 ? "there is no job yet" : "there are fewer than \(back + 1) jobs")
      }
      return object
    }
  }

  private func known(_ number: JobNumber, _ isFresh: Bool) throws(WireError) -> JobStatus? {
    if let object = isFresh ? freshObject(of: number) : object(of: number) { return object }
    return try read { () throws(StoreError) in try store.job(number) }?.object(paths: paths)
  }

  /// A store that cannot be read now does not prove that a job is missing.
  private func read<Found>(
    _ body: () throws(StoreError) -> Found?
  ) throws(WireError) -> Found? {
    do throws(StoreError) {
      return try body()
    } catch {
      throw WireError(error.code, "the store cannot be read: \(error.message)")
    }
  }

  /// How many of these jobs have ended, by outcome.
  ///
  /// In a group, counts jobs that have ended since the oldest live one was submitted, or the last ended one:
  /// jobs that were submitted together are shown together.
  func tally(_ some: JobSelection) throws(WireError) -> JobTally {
    let retired = retiring.filter { some.contains($0, of: group(of: $0)) }
    var tally = JobTally(live: -retired.count)
    tally.running = Set(runningNumbers.filter { some.contains($0, of: group(of: $0)) })
      .subtracting(retired)
    let numbers = runtime.jobs.numbers
    do throws(StoreError) {
      let outcomes: [OutcomeCount]
      switch some {
      case .range(let range):
        tally.live +=
          numbers.countBelow(JobNumber(range.last.value + 1)) - numbers.countBelow(range.first)
        outcomes = try store.outcomes(in: range)
      case .group(let name):
        let live = numbers.elements.filter { group(of: $0) == name }
        tally.live += live.count
        let since = live.compactMap { runtime.jobs[$0]?.submittedAt.milliseconds }.min()
        outcomes = try store.outcomes(of: name, since: since)
      }
      for ended in outcomes {
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
      throw WireError(error.code, "the ended jobs cannot be read: \(error.message)")
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
  func checkExist(_ prerequisites: [Prerequisite]) throws(WireError) {
    for number in prerequisites.lazy.map(\.number)
    where runtime.jobs[number] == nil && stored(number) == nil {
      throw unknown(number)
    }
  }

  /// The error also says whether the number was ever used.
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
