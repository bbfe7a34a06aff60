import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// Files left over by earlier attempts.
extension Cleanup {
  /// Removes records, pages and empty folders of jobs that are not live.
  ///
  /// An earlier runner died between the end of a job and its cleanup. What cannot be removed yet, because the
  /// machine lacks a resource or a supervisor is about to exit, is tried again later.
  func removeLeftovers() {
    let (records, orders) = (home.paths.runRecords, Paths.launchOrderEnding)
    var areRemoved = clear(records) { name throws(SystemError) in
      name.hasSuffix(orders) ? true : try removeRecord("\(records)/\(name)")
    }
    // An order stays for as long as its record does.
    areRemoved =
      clear(records) { name throws(SystemError) in
        let record = "\(records)/\(name.dropLast(orders.count))"
        if name.hasSuffix(orders), !File.exists(record) { tidy("\(records)/\(name)") }
        return true
      } && areRemoved
    // A page without a run record is unused; with one, its supervisor may still run.
    let pages = File.parent(of: home.page(JobNumber(0), attempt: 0))
    areRemoved =
      clear(pages) { name throws(SystemError) in
        if !File.exists("\(records)/\(name)") { tidy("\(pages)/\(name)") }
        return true
      } && areRemoved
    areRemoved =
      clear(home.paths.jobStates) { name throws(SystemError) in
        try File.removeEmptyDirectory("\(home.paths.jobStates)/\(name)")
        return true
      } && areRemoved
    areRemoved = resume() && areRemoved
    leftoversDue = areRemoved ? nil : AwakeClock.instant(in: Self.leftPause)
  }

  /// Goes over the leftovers in a folder; whether none is left for another time.
  ///
  /// `remove` gets the name of each; false = later. An error that will not go away leaves the file where it is.
  private func clear(
    _ folder: String, _ remove: (String) throws(SystemError) -> Bool
  ) -> Bool {
    var isCleared = true
    do throws(SystemError) {
      for name in try File.names(in: folder) where !isKept(name) {
        do throws(SystemError) {
          if try !remove(name) { isCleared = false }
        } catch {
          if error.isTransient { isCleared = false }
        }
      }
    } catch {
      return !error.isTransient
    }
    return isCleared
  }

  /// A locked record has a living supervisor, whether or not the store has its job.
  private func removeRecord(_ path: String) throws(SystemError) -> Bool {
    do throws(JobPageError) {
      if case .damaged = try RunRecordFile.content(of: path) {
        discard(path)
        return true
      }
      let file = try RunRecordFile(path: path)
      guard try file.tryLock() else { return false }
    } catch {
      if case .system(let error) = error { throw error }
      return true
    }
    try File.remove(path)
    return true
  }

  /// Whether `12.1` or `12` belongs to a job that is live, or still holds resources.
  private func isKept(_ name: String) -> Bool {
    guard let number = name.split(separator: ".").first.flatMap({ UInt64($0) }) else { return true }
    return jobs.isLive(JobNumber(number)) || jobs.isLingering(JobNumber(number))
  }
}
