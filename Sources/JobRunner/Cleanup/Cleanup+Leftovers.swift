import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// Files left over by earlier attempts.
extension Cleanup {
  /// Removes records, pages and empty folders of jobs that are not live.
  ///
  /// An earlier runner died between the end of a job and its cleanup. If the machine lacks a resource for
  /// that, the removal is tried again later.
  func removeLeftovers() {
    do throws(SystemError) {
      try removeRecords()
      try removePages()
      for name in try File.names(in: home.paths.jobStates) where !isKept(name) {
        let folder = "\(home.paths.jobStates)/\(name)"
        try orLeave { () throws(SystemError) in try File.removeEmptyDirectory(folder) }
      }
      try resume()
      leftoversDue = nil
    } catch {
      leftoversDue = AwakeClock.instant(in: Self.leftPause)
    }
  }

  private func removeRecords() throws(SystemError) {
    let folder = home.paths.runRecords
    let orders = Paths.launchOrderEnding
    for name in try File.names(in: folder) where !isKept(name) && !name.hasSuffix(orders) {
      try orLeave { () throws(SystemError) in try removeRecord("\(folder)/\(name)") }
    }
    for name in try File.names(in: folder) where !isKept(name) && name.hasSuffix(orders) {
      // An order stays for as long as its record does.
      if !File.exists("\(folder)/\(name.dropLast(orders.count))") { tidy("\(folder)/\(name)") }
    }
  }

  /// A locked record has a living supervisor, whether or not the store has its job.
  private func removeRecord(_ path: String) throws(SystemError) {
    do throws(JobPageError) {
      if case .damaged = try RunRecordFile.content(of: path) { return discard(path) }
      let file = try RunRecordFile(path: path)
      guard try file.tryLock() else { return }
    } catch {
      if case .system(let error) = error { throw error }
      return
    }
    try File.remove(path)
  }

  private func removePages() throws(SystemError) {
    let folder = File.parent(of: home.page(JobNumber(0), attempt: 0))
    for name in try File.names(in: folder) where !isKept(name) {
      // A page without a run record is unused; with one, its supervisor may still run.
      guard !File.exists("\(home.paths.runRecords)/\(name)") else { continue }
      tidy("\(folder)/\(name)")
    }
  }

  /// A leftover that cannot be removed, whatever the machine has, stays.
  private func orLeave(_ body: () throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) { try body() } catch { if error.isTransient { throw error } }
  }

  /// Whether `12.1` or `12` belongs to a job that is live, or still holds resources.
  private func isKept(_ name: String) -> Bool {
    guard let number = name.split(separator: ".").first.flatMap({ UInt64($0) }) else { return true }
    return jobs.isLive(JobNumber(number)) || jobs.isLingering(JobNumber(number))
  }
}
