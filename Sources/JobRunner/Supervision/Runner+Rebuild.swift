import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Jobs that run and that the store does not know, because an earlier one was lost.
extension Runner {
  /// An attempt whose launch order lies beside its run record.
  private struct Unknown {
    let number: JobNumber
    let attempt: Int
    let order: LaunchOrder
    let dossier: RecoveryRecord

    func row() throws(WireError) -> StoredJob { try StoredJob(number, attempt: attempt, dossier) }
  }

  /// Takes jobs in that the store does not know, from what was told to their supervisors.
  ///
  /// Only jobs that were launched leave a trace there: those that waited are lost with their store.
  /// - Throws: when the store cannot take them; nothing of them may be tidied away then.
  func rebuildLost() throws(StoreError) {
    var rebuilt: [JobNumber] = []
    for (number, attempt) in launchedAttempts() where cards[number] == nil {
      guard try store.job(number) == nil, let unknown = unknown(number, attempt: attempt),
        var row = try? unknown.row()
      else { continue }
      row.take((try? PageReader(path: unknown.order.page))?.stopNow())
      try store.transaction(.full) { () throws(StoreError) in
        try store.insert(row, specification: unknown.order.specification.encoded())
        // Of this boot, whenever this runner dies: a store without one would be taken for older.
        if journal.storedBoot == nil, unknown.dossier.boot == boot { try store.saveBootID(boot) }
      }
      rebuilt.append(number)
      restore(row, isSameBoot: unknown.dossier.boot == boot, isRebuilt: true)
    }
    guard !rebuilt.isEmpty else { return }
    let numbers = rebuilt.map { "\($0)" }.joined(separator: ", ")
    note("the store did not know what runs; rebuilt from the run records: \(numbers)")
  }

  /// The newest attempt of each job of which a launch order is there, ascending.
  private func launchedAttempts() -> [(JobNumber, Int)] {
    var newest: [JobNumber: Int] = [:]
    for name in (try? File.names(in: home.places.runRecords)) ?? []
    where name.hasSuffix(Places.launchOrderEnding) {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let number = UInt64(parts[0]).map(JobNumber.init),
        number.isPossible, let attempt = Int32(parts[1]).map(Int.init),
        StoredJob.attempts.contains(attempt), attempt > 0
      else { continue }
      newest[number] = max(newest[number] ?? 0, attempt)
    }
    return newest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Nil for an attempt whose record is gone, which was tidied away, or whose order is damaged.
  private func unknown(_ number: JobNumber, attempt: Int) -> Unknown? {
    guard File.exists(home.places.runRecord(number, attempt: attempt)),
      let order = launchOrder(number, attempt: attempt)
    else { return nil }
    do throws(WireError) {
      let path = home.places.launchOrder(number, attempt: attempt)
      let dossier = try reading(path) { () throws(WireError) in
        try RecoveryRecord(json: Array(order.dossier.utf8)[...])
      }
      return dossier.map {
        Unknown(number: number, attempt: attempt, order: order, dossier: $0)
      }
    } catch {
      note("job \(number) runs, and the store does not know it: \(error.message)")
      return nil
    }
  }

  /// What the supervisor of an attempt was told; nil when that was not kept, or is damaged.
  func launchOrder(_ number: JobNumber, attempt: Int) -> LaunchOrder? {
    let path = home.places.launchOrder(number, attempt: attempt)
    return reading(path) {
      // Not held up by a pipe that took its place.
      guard let file = try? File.open(path, [.read, .noFollow, .nonblocking]),
        let bytes = try? file.readToEnd(limit: 2 * LaunchSpecification.limit)
      else { return nil }
      return try? LaunchOrder(decoding: bytes)
    } ?? nil
  }
}

extension PageReader {
  /// What the runner has told the worker so far.
  fileprivate consuming func stopNow() -> PageStop? { snapshot().stop }
}
