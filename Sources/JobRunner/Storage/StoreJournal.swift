import JobCore
import JobRuntime
import JobStore
import JobWire

/// The store as a runtime's journal: rows and events of a turn in one transaction, and with the ends what
/// is to be run because of them.
///
/// An object, because a store that is mended within a commit asks it what was stored before.
final class StoreJournal: Journal {
  private let store: Store
  private let mark: NumberMark
  var plan: EndPlan
  /// What the last commit made due.
  private var planned: [EndCommandRow] = []
  /// The largest number of a command that followed an end.
  private(set) var lastEndCommand: UInt64 = 0
  /// The boot that the instants in the store belong to; nil in a new one.
  private(set) var storedBoot: String?
  /// The mount that run records are on, as stored; nil = not known.
  private(set) var storedMount: UInt64?
  /// The boot and the mount of the next commit and of all that follow; nil = as before.
  ///
  /// Stored with what the reboot ended and whatever begins in the same turn: a runner that dies just
  /// afterwards must take neither for something of the boot before.
  private var next: (boot: String, mount: UInt64?)?
  /// Jobs whose instants are of the boot before, until they are stored with the next one.
  private var rewritten: [JobNumber] = []

  init(_ store: Store, _ plan: EndPlan, _ restored: RestoredState, _ mark: NumberMark) {
    self.store = store
    self.mark = mark
    self.plan = plan
    storedBoot = restored.boot
    storedMount = restored.mount
  }

  /// All jobs of before are known: what is stored from now on belongs to this boot, and with it the jobs
  /// `numbers`, whose instants are its own by now, and the `mount` of what it makes beside the store.
  func begin(boot: String, mount: UInt64?, rewriting numbers: [JobNumber]) {
    guard boot != storedBoot || mount != storedMount else { return }
    next = (boot, mount)
    rewritten = boot == storedBoot ? [] : numbers
  }

  /// Stores the boot where no commit did, as nothing of before had changed.
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

  /// What the last commit made due, once.
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

  func outcome(of number: JobNumber) -> Outcome? { ((try? store.job(number)) ?? nil)?.outcome }

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
    // All else may be wanted again, as long as it is in the history.
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

  /// What is run once the job has ended is decided and stored together with its end.
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
