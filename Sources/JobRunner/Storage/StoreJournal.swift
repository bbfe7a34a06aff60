import JobCore
import JobRuntime
import JobStore
import JobWire

/// The store as a runtime's journal: a turn's rows and events in one transaction, with the commands that its
/// ends make due.
///
/// An object, because a store that is repaired within a commit asks it for the state before.
final class StoreJournal: Journal {
  private let store: Store
  private let mark: NumberMark
  var plan: EndPlan
  /// The commands that the last commit made due.
  private var planned: [EndCommandRow] = []
  /// The largest number of an on-end command.
  private(set) var lastEndCommand: UInt64 = 0
  /// The boot that the instants in the store belong to; nil in a new one.
  private(set) var storedBoot: String?
  /// The mount that run records are on, as stored; nil = not known.
  private(set) var storedMount: UInt64?
  /// The boot and the mount for the next and all later commits; nil = unchanged.
  ///
  /// Stored together with the ends that the reboot caused and the starts of the same turn: a runner that dies
  /// just afterwards must not mistake them for events of the earlier boot.
  private var next: (boot: String, mount: UInt64?)?
  /// Jobs with instants of the earlier boot, until they are stored with the next commit.
  private var rewritten: [JobNumber] = []

  init(_ store: Store, _ plan: EndPlan, _ restored: RestoredState, _ mark: NumberMark) {
    self.store = store
    self.mark = mark
    self.plan = plan
    storedBoot = restored.boot
    storedMount = restored.mount
  }

  /// All earlier jobs are restored: later commits belong to this boot, and with it the jobs `numbers`, whose
  /// instants are now converted, and the `mount` of the files made beside the store.
  func begin(boot: String, mount: UInt64?, rewriting numbers: [JobNumber]) {
    guard boot != storedBoot || mount != storedMount else { return }
    next = (boot, mount)
    rewritten = boot == storedBoot ? [] : numbers
  }

  /// Stores the boot if no commit did, because no job changed.
  func storeBoot(_ jobs: LiveJobTable) throws(StoreError) {
    guard next != nil else { return }
    try store.transaction(.normal) { () throws(StoreError) in try writeBoot(jobs) }
    bootIsStored()
  }

  private func writeBoot(_ jobs: LiveJobTable) throws(StoreError) {
    guard let next else { return }
    try store.saveBootID(next.boot)
    try store.saveMountNumber(next.mount)
    for number in rewritten {
      if let job = jobs[number] { try store.update(job.row) }
    }
  }

  private func bootIsStored() {
    guard let stored = next.take() else { return }
    (storedBoot, storedMount) = (stored.boot, stored.mount)
    rewritten = []
  }

  /// The commands that the last commit made due; empty the second time.
  func takePlanned() -> [EndCommandRow] {
    guard !planned.isEmpty else { return [] }
    defer { planned = [] }
    return planned
  }

  func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal? {
    if let last = commit.specifications.keys.max() { mark.cover(last) }
    do throws(StoreError) {
      let durability: Store.Durability = commit.durability == .full ? .full : .normal
      planned = try store.transaction(durability) { () throws(StoreError) in
        try writeBoot(jobs)
        return try write(&commit, jobs)
      }
      bootIsStored()
      lastEndCommand = max(lastEndCommand, planned.last?.id ?? 0)
      return nil
    } catch {
      return JournalRefusal(error.message)
    }
  }

  func job(withKey key: String) throws(JournalRefusal) -> JobNumber? {
    do throws(StoreError) {
      return try store.job(key: key)?.number
    } catch {
      throw JournalRefusal("the store cannot be read: \(error.message)")
    }
  }

  func batch(withKey key: String) throws(JournalRefusal) -> (first: JobNumber, count: Int)? {
    do throws(StoreError) {
      return try store.batch(key: key).map { ($0.first, $0.count) }
    } catch {
      throw JournalRefusal("the store cannot be read: \(error.message)")
    }
  }

  func outcome(of number: JobNumber) -> Outcome? {
    ((try? store.job(number)) ?? nil)?.state.outcome
  }

  private func write(
    _ commit: inout Commit, _ jobs: LiveJobTable
  ) throws(StoreError) -> [EndCommandRow] {
    for batch in commit.batches {
      try store.insert(
        StoredBatch(
          first: batch.first, count: batch.count, key: batch.key,
          specification: batch.specification))
    }
    for number in commit.changed {
      guard let job = jobs[number] else { continue }
      if let specification = commit.specifications[number] {
        try store.insert(
          job.row, specification: job.host == nil ? specification.bytes : nil,
          batch: specification.batch)
      } else {
        try store.update(job.row)
        if let bytes = commit.replacements[number] {
          try store.replaceSpecification(number, with: bytes)
        }
      }
    }
    for number in commit.released { try store.endLingering(number) }
    var due: [EndCommandRow] = []
    for line in commit.lines where line.kind == .ended { due += try addCommands(after: line, jobs) }
    // Other specifications may be needed again, as long as their jobs are in the history.
    for number in commit.succeeded where jobs[number]?.details.hidesCommand ?? false {
      try store.dropSpecification(number, isSecret: true)
    }
    let wall = commit.at.milliseconds
    for index in commit.lines.indices {
      let line = commit.lines[index]
      commit.lines[index].sequence = try store.append(
        eventAt: wall, number: line.number, kind: line.kind.rawValue,
        job: commit.json(line))
    }
    return due
  }

  /// Commands that follow a job's end are chosen and stored together with the end.
  private func addCommands(
    after line: Turn.Line, _ jobs: LiveJobTable
  ) throws(StoreError) -> [EndCommandRow] {
    guard let object = line.object else { return [] }
    let commands = plan.commands(after: line, of: jobs[line.number])
    guard !commands.isEmpty else { return [] }
    let variables = plan.variables(of: object)
    var rows: [EndCommandRow] = []
    for command in commands {
      rows.append(try store.addEndCommand(of: line.number, command, variables: variables))
    }
    return rows
  }
}
