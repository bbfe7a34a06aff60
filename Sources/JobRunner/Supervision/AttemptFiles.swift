import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// The files of attempts beside the store: run records and launch orders.
struct AttemptFiles {
  let home: RunnerHome
  let suspects: SuspectFiles
  let cleanup: Cleanup
  let notes: RunnerNotes

  /// The content of the attempt's record; nil if it cannot be read now.
  ///
  /// Anything but a regular file is moved away, because no end can be written there.
  func record(of live: Attempt) -> RunRecordFile.Content? {
    // If the folder was moved away, or another runner owns it, its files do not belong to this attempt.
    guard home.holdsLock else {
      home.isDoubted = true
      return nil
    }
    do throws(JobPageError) {
      let content =
        try suspects.reading(live.recordPath) { () throws(JobPageError) in
          try RunRecordFile.content(of: live.recordPath)
        } ?? .absent
      if content == .damaged {
        notes.add("the run record of job \(live.number) is not a file; it is removed")
        cleanup.discard(live.recordPath)
      }
      return content
    } catch {
      notes.add("the run record of job \(live.number) cannot be read: \(error)")
      return nil
    }
  }

  /// The launch order of an attempt's supervisor; nil if it was not kept, or is damaged.
  ///
  /// After a power cut the file may still hold the order of an earlier attempt.
  func launchOrder(_ number: JobNumber, attempt: Int) -> LaunchOrder? {
    let path = home.paths.launchOrder(number, attempt: attempt)
    return suspects.reading(path) {
      // Not held up by a pipe that took its place.
      guard let file = try? File.open(path, [.read, .noFollow, .nonblocking]),
        let bytes = try? file.readToEnd(limit: 2 * LaunchSpecification.limit),
        let order = try? LaunchOrder(decoding: bytes),
        order.record.hasSuffix("/\(number).\(attempt)")
      else { return nil }
      return order
    } ?? nil
  }

  /// The store's name where the attempt runs; nil if it runs here, or the name was not kept.
  func nameOfStore(_ number: JobNumber, attempt: Int) -> String? {
    launchOrder(number, attempt: attempt).flatMap {
      (try? RecoveryRecord(number, json: Array($0.recovery.utf8)[...]))?.store
    }
  }

  /// The newest attempt of each job with a launch order, ascending.
  func launchedAttempts() -> [(JobNumber, Int)] {
    var newest: [JobNumber: Int] = [:]
    for name in (try? File.names(in: home.paths.runRecords)) ?? []
    where name.hasSuffix(Paths.launchOrderEnding) {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let value = UInt64(parts[0]),
        JobNumber(value).isPossible, let attempt = Int32(parts[1]).map(Int.init),
        JobRecord.attempts.contains(attempt), attempt > 0
      else { continue }
      newest[JobNumber(value)] = max(newest[JobNumber(value)] ?? 0, attempt)
    }
    return newest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A running job that the store does not have, from its launch order; nil if the attempt's record was
  /// removed, or its order is damaged.
  func unknownJob(_ number: JobNumber, attempt: Int) -> UnknownJob? {
    let record = home.paths.runRecord(number, attempt: attempt)
    guard File.exists(record), let order = launchOrder(number, attempt: attempt)
    else { return nil }
    do throws(WireError) {
      let path = home.paths.launchOrder(number, attempt: attempt)
      let recovered = try suspects.reading(path) { () throws(WireError) in
        try RecoveryRecord(number, json: Array(order.recovery.utf8)[...])
      }
      guard let recovered else { return nil }
      var row = recovered.record
      (row.state, row.attempt) = (.running, attempt)
      row.apply((try? PageReader(path: order.page))?.stopNow())
      // Its engine, or its record, reports whether it has begun.
      if row.isElsewhere || (row.state == .running && !hasStarted(record)) {
        row.state = .launching
      }
      return UnknownJob(
        row: row, boot: recovered.boot, mount: recovered.mount, store: recovered.store,
        specification: order.specification.encoded())
    } catch {
      notes.add("job \(number) runs, and the store does not know it: \(error.message)")
      return nil
    }
  }
}

private func hasStarted(_ record: String) -> Bool {
  guard let bytes = try? File.readAll(record) else { return false }
  return RunRecord(parsing: bytes).started != nil
}

/// A running job that the store does not have, because an earlier store was lost.
struct UnknownJob {
  let row: JobRecord
  /// Which start of the machine it began in.
  let boot: String
  /// The mount of its run record then; nil = not known.
  let mount: UInt64?
  /// The lost store's name on its engine; nil = it runs here.
  let store: String?
  let specification: [UInt8]
}

extension PageReader {
  /// The stop that the runner has sent to the worker so far.
  fileprivate consuming func stopNow() -> PageStop? { snapshot().stop }
}
