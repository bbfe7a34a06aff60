import JobCore
import JobWire
import LinuxSystem

/// Removes what jobs leave in files, while nothing else is to be done.
final class Cleanup: Part {
  /// Which jobs' files must stay; all, before anybody says.
  struct Jobs {
    /// Whether anything runs.
    var isAnyRunning: () -> Bool = { true }
    /// Whether this job has a process tree.
    var isRunning: (JobNumber) -> Bool = { _ in true }
    /// Whether this job has not ended.
    var isLive: (JobNumber) -> Bool = { _ in true }
    /// Whether something is still held for this job, which has ended.
    var isLingering: (JobNumber) -> Bool = { _ in true }
  }

  /// In the past at whatever time it is compared with.
  private static let atOnce = Instant(nanoseconds: 0)

  let home: RunnerHome
  var jobs = Jobs()
  private let trouble: (String) -> Void
  /// Folders that are being removed.
  private var removals: [Removal] = []
  /// Ended jobs whose state folders are to go if they are empty.
  private var emptied: Set<JobNumber> = []
  private var emptyAt = Instant(nanoseconds: 0)
  /// Folders are not removed before that.
  private var blockedUntil = Cleanup.atOnce
  /// Files that ended attempts have left, for new ones.
  var spares: [String] = []
  var lastSpare: UInt64 = 0
  /// Pages lie beside the state, and may become records; else they are in memory and cost nothing.
  private(set) lazy var sparesPages =
    (try? File.status(File.parent(of: home.page(JobNumber(0), attempt: 0))))??.device
    == (try? File.status(home.paths.stateDirectory))??.device
  /// Paths that nobody uses again, at which something is that could not be removed.
  private var left: Set<String> = []
  private var leftAgainAt = Instant(nanoseconds: 0)

  /// As long as nothing can be written, a try costs one call.
  private static let leftPause = Interval.seconds(5)
  /// More are left to the next runner.
  private static let leftAtMost = 10_000

  /// `trouble` is told in a sentence what cannot be removed.
  init(home: RunnerHome, trouble: @escaping (String) -> Void) {
    self.home = home
    self.trouble = trouble
  }

  var nextDue: Instant? {
    guard removals.isEmpty else { return blockedUntil }
    return [nextEmptying, left.isEmpty ? nil : leftAgainAt].compactMap { $0 }.min()
  }

  func act(at now: Instant) {
    if !removals.isEmpty, blockedUntil <= now { goOnRemoving() }
    if !left.isEmpty, leftAgainAt <= now { removeLeft() }
    if let due = nextEmptying, due <= now { removeEmptied() }
  }

  /// Nothing can be removed now: it is tried again later, and what was to go still is.
  private func wait(for error: SystemError) {
    trouble("what a job left cannot be removed: \(error)")
    blockedUntil = AwakeClock.instant(in: Self.leftPause)
  }

  /// Removes the run records and pages of an ended job's attempts; its state folder goes later, when
  /// the job left nothing in it.
  func removeAttempts(of number: JobNumber, count: Int) {
    // Leftovers harm nobody: a record is only read for a live job, a page only by its number.
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

  /// Removes a file, or a folder that somebody has put in its place, at a path that nobody uses again:
  /// what cannot be removed now, as nothing can be written, is removed later.
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

  /// Removes what an ended job has printed, how far it was at which time, and what told so.
  func removeOutput(of number: JobNumber) {
    for path in [
      home.paths.log(number), home.paths.trace(number), home.paths.evidence(number),
    ] { tidy(path) }
  }

  /// Removes what a forgotten job leaves: its log, its trace, its input and its state folder.
  func removeAll(of number: JobNumber) {
    removeOutput(of: number)
    for path in [home.paths.input(number), home.paths.jobState(number)] { tidy(path) }
  }

  /// Takes a folder, or what is in its place, out of the way at once, and removes it later.
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

  /// Goes on with what an earlier runner did not finish.
  func resume() {
    let folder = home.paths.discarded
    removals += ((try? File.names(in: folder)) ?? []).map { Removal("\(folder)/\($0)") }
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
      trouble("what a job left cannot be removed: \(error)")
    }
  }
}

// MARK: State folders

extension Cleanup {
  /// Makes a job's state folder before its first attempt, or checks the one from before.
  ///
  /// One that an ended job left empty is taken over: renaming it costs some microseconds, removing it
  /// milliseconds where the file system tells the disk of each block that is free (mount option discard).
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

  /// An ended job whose state folder is empty and what was made for it; others stay as they are.
  private func takeSpareFolder() -> JobNumber? {
    while let number = emptied.popFirst() {
      guard !jobs.isRunning(number), !jobs.isLive(number) else { continue }
      let path = home.paths.jobState(number)
      // Whatever the job has put in its place must not become another's.
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

  /// When state folders of ended jobs are removed; nil while something runs, unless they are many, or
  /// none is left.
  ///
  /// A folder cannot be removed while the file system writes what the store waits for, which would
  /// cost the loop milliseconds for each of many short jobs.
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
