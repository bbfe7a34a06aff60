import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// Files left over by earlier attempts.
extension Cleanup {
  /// Removes records, pages and empty folders of jobs that are not live: an earlier runner died
  /// between the end of a job and the tidying after it.
  func removeLeftovers() {
    let orders = Paths.launchOrderEnding
    for name in names(in: home.paths.runRecords) where !isKept(name) && !name.hasSuffix(orders) {
      removeRecord("\(home.paths.runRecords)/\(name)")
    }
    for name in names(in: home.paths.runRecords) where !isKept(name) && name.hasSuffix(orders) {
      // An order stays for as long as its record does.
      let record = "\(home.paths.runRecords)/\(name.dropLast(orders.count))"
      if !File.exists(record) { tidy("\(home.paths.runRecords)/\(name)") }
    }
    let pages = File.parent(of: home.page(JobNumber(0), attempt: 0))
    for name in names(in: pages) where !isKept(name) {
      // A page without a run record is unused; with one, its supervisor may still run.
      guard !File.exists("\(home.paths.runRecords)/\(name)") else { continue }
      tidy("\(pages)/\(name)")
    }
    for name in names(in: home.paths.jobStates) where !isKept(name) {
      // A folder that cannot be removed now does no harm: the next runner tries again.
      _ = try? File.removeEmptyDirectory("\(home.paths.jobStates)/\(name)")
    }
    resume()
  }

  /// A locked record has a living supervisor, whether or not the store has its job.
  private func removeRecord(_ path: String) {
    if case .damaged? = try? RunRecordFile.content(of: path) { return discard(path) }
    guard let file = try? RunRecordFile(path: path), (try? file.tryLock()) ?? false else { return }
    try? File.remove(path)
  }

  private func names(in folder: String) -> [String] { (try? File.names(in: folder)) ?? [] }

  /// Whether `12.1` or `12` belongs to a job that is live, or still holds resources.
  private func isKept(_ name: String) -> Bool {
    guard let number = name.split(separator: ".").first.flatMap({ UInt64($0) }) else { return true }
    return jobs.isLive(JobNumber(number)) || jobs.isLingering(JobNumber(number))
  }
}
