import JobCore
import JobWire
import LinuxSystem

/// Removes files that jobs leave behind, while the runner is otherwise idle.
final class Cleanup: Part {
  /// Which jobs' files must stay; all jobs' files until the handlers are set.
  struct Jobs {
    /// Whether any job runs.
    var isAnyRunning: () -> Bool = { true }
    /// Whether this job has a process tree.
    var isRunning: (JobNumber) -> Bool = { _ in true }
    /// Whether this job has not ended.
    var isLive: (JobNumber) -> Bool = { _ in true }
    /// Whether something is still held for this job, which has ended.
    var isLingering: (JobNumber) -> Bool = { _ in true }
  }

  /// Earlier than any time it is compared with.
  private static let atOnce = Instant(nanoseconds: 0)

  let home: RunnerHome
  var jobs = Jobs()
  private let trouble: (String) -> Void
  /// Folders that are being removed.
  private var removals: [Removal] = []
  /// Ended jobs whose state folders are removed if they are empty.
  private var emptied: Set<JobNumber> = []
  private var emptyAt = Instant(nanoseconds: 0)
  /// Folders are not removed before that.
  private var blockedUntil = Cleanup.atOnce
  /// Files of ended attempts, for new ones.
  var spares: [String] = []
  var lastSpare: UInt64 = 0
  /// Pages beside the state may be reused as records; otherwise they are in memory, and creating one is cheap.
  private(set) lazy var sparesPages =
    (try? File.status(File.parent(of: home.page(JobNumber(0), attempt: 0))))??.device
    == (try? File.status(home.paths.stateDirectory))??.device
  /// Paths no longer in use whose files could not be removed.
  private var left: Set<String> = []
  private var leftAgainAt = Instant(nanoseconds: 0)
  /// When leftovers of earlier runners are looked for again; nil once all were.
  var leftoversDue: Instant?

  /// While the disk is not writable, each try costs one call.
  static let leftPause = Interval.seconds(5)
  /// Beyond this many, the next runner removes them.
  private static let leftAtMost = 10_000

  /// `trouble` gets a sentence about each failed removal.
  init(home: RunnerHome, trouble: @escaping (String) -> Void) {
    self.home = home
    self.trouble = trouble
  }

  var nextDue: Instant? {
    guard removals.isEmpty else { return blockedUntil }
    return [nextEmptying, left.isEmpty ? nil : leftAgainAt, leftoversDue].compactMap { $0 }.min()
  }

  func act(at now: Instant) {
    if !removals.isEmpty, blockedUntil <= now { goOnRemoving() }
    if !left.isEmpty, leftAgainAt <= now { removeLeft() }
    if let due = leftoversDue, due <= now { removeLeftovers() }
    if let due = nextEmptying, due <= now { removeEmptied() }
  }

  /// Removing fails at present: schedules another try.
  private func wait(for error: SystemError) {
    trouble("the leftovers of a job cannot be removed: \(error)")
    blockedUntil = AwakeClock.instant(in: Self.leftPause)
  }

  /// Removes the run records and pages of an ended job's attempts; its state folder is removed later, if it is
  /// empty.
  func removeAttempts(of number: JobNumber, count: Int) {
    // Leftovers do no harm: a record is only read for a live job, a page only by its number.
    if count <= Limits.attemptsByName {
      for attempt in stride(from: 1, through: count, by: 1) {
        // Taken again in the reverse order, each for its own kind.
        spare(home.paths.launchOrder(number, attempt: attempt))
        spare(home.paths.runRecord(number, attempt: attempt))
        let page = home.page(number, attempt: attempt)
        if sparesPages { spare(page) } else { tidy(page) }
      }
    } else {
      let pages = File.parent(of: home.page(number, attempt: 0))
      for folder in [home.paths.runRecords, pages] {
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix("\(number).") {
          tidy("\(folder)/\(name)")
        }
      }
    }
    emptied.insert(number)
    emptyAt = AwakeClock.instant(in: .seconds(1))
  }

  /// Removes a file, or a folder in its place, at a path no longer in use; retries later if the disk is not
  /// writable.
  func tidy(_ path: String) {
    do throws(SystemError) {
      try remove(path)
    } catch {
      trouble("\(path) cannot be removed: \(error)")
      guard error.isTransient, left.count < Self.leftAtMost else { return }
      if left.isEmpty { leftAgainAt = AwakeClock.instant(in: Self.leftPause) }
      left.insert(path)
    }
  }

  private func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try File.remove(path)
    } catch {
      do throws(SystemError) {
        try takeAway(path)
      } catch let second {
        throw error.isTransient ? error : second
      }
    }
  }

  private func removeLeft() {
    for path in left {
      do throws(SystemError) {
        try remove(path)
      } catch {
        if error.isTransient { break }
      }
      left.remove(path)
    }
    leftAgainAt = AwakeClock.instant(in: Self.leftPause)
  }

  /// Removes the output of an ended job, its trace, and its progress data.
  func removeOutput(of number: JobNumber) {
    for path in [
      home.paths.log(number), home.paths.trace(number), home.paths.evidence(number),
    ] { tidy(path) }
  }

  /// Removes the files of a forgotten job: its log, its trace, its input and its state folder.
  func removeAll(of number: JobNumber) {
    removeOutput(of: number)
    for path in [home.paths.input(number), home.paths.jobState(number)] { tidy(path) }
  }

  /// Moves a folder, or a file in its place, out of the way at once, and removes it later.
  func discard(_ folder: String) {
    do throws(SystemError) {
      try takeAway(folder)
    } catch {
      trouble("\(folder) cannot be removed: \(error)")
    }
  }

  private func takeAway(_ path: String) throws(SystemError) {
    guard try File.status(path, followingLinks: false) != nil else { return }
    let aside = "\(home.paths.discarded)/\(RandomBytes.hexadecimal(count: 8))"
    try File.makeDirectory(home.paths.discarded)
    try File.rename(path, to: aside)
    removals.append(Removal(aside))
  }

  /// Continues the removals that an earlier runner did not finish; false = they cannot be listed yet.
  func resume() -> Bool {
    let folder = home.paths.discarded
    do throws(SystemError) {
      guard try File.status(folder) != nil else { return true }
      let known = Set(removals.map(\.path) + spares)
      let paths = try File.names(in: folder).map { "\(folder)/\($0)" }
      removals += paths.filter { !known.contains($0) }.map { Removal($0) }
      return true
    } catch {
      return !error.isTransient
    }
  }

  private func goOnRemoving() {
    guard var removal = removals.popLast() else { return }
    do throws(SystemError) {
      if try !removal.goOn() { removals.append(removal) }
    } catch {
      if error.isTransient {
        removals.append(removal)
        return wait(for: error)
      }
      // The next runner tries again.
      trouble("the leftovers of a job cannot be removed: \(error)")
    }
  }
}

// MARK: State folders

extension Cleanup {
  /// Makes a job's state folder before its first attempt, or checks the existing one.
  ///
  /// An empty folder of an ended job is reused: renaming takes microseconds, removing milliseconds if the file
  /// system informs the disk about free blocks (mount option discard).
  func prepareStateFolder(of number: JobNumber, attempt: Int) throws(DirectoryError) {
    let path = home.paths.jobState(number)
    if attempt == 1, let spare = takeSpareFolder() {
      do throws(SystemError) {
        return try File.rename(home.paths.jobState(spare), to: path)
      } catch {
        emptied.insert(spare)
      }
    }
    try PrivateDirectory.prepare(path)
  }

  /// Takes an ended job whose state folder is still empty and unmodified; other folders stay as they are.
  private func takeSpareFolder() -> JobNumber? {
    while let number = emptied.popFirst() {
      guard !jobs.isRunning(number), !jobs.isLive(number) else { continue }
      let path = home.paths.jobState(number)
      // Anything else that the job put there must not become another job's folder.
      guard let status = try? File.status(path, followingLinks: false),
        status.kind == .directory, status.owner == CurrentProcess.userIdentifier,
        status.mode == 0o700
      else { continue }
      guard let names = try? File.names(in: path) else {
        emptied.insert(number)
        return nil
      }
      if names.isEmpty { return number }
    }
    return nil
  }

  /// When state folders of ended jobs are removed; nil while a job runs, unless there are many, or if there are
  /// none.
  ///
  /// A folder cannot be removed while the file system writes the store's data, which would delay the loop by
  /// milliseconds for each of many short jobs.
  private var nextEmptying: Instant? {
    if jobs.isAnyRunning() {
      return emptied.count > Limits.emptyFolders ? blockedUntil : nil
    }
    return emptied.isEmpty ? nil : max(emptyAt, blockedUntil)
  }

  /// Removes some more of the state folders that are empty; by default as many as cost little now.
  func removeEmptied(atMost limit: Int? = nil) {
    if limit != nil || !jobs.isAnyRunning() { removeSpares() }
    let affordable = jobs.isAnyRunning() ? 1 : Limits.removedAtOnce
    for number in Array(emptied.prefix(limit ?? affordable)) {
      do throws(SystemError) {
        if !jobs.isRunning(number) {
          try File.removeEmptyDirectory(home.paths.jobState(number))
        }
      } catch {
        if error.isTransient { return wait(for: error) }
      }
      emptied.remove(number)
    }
  }
}
