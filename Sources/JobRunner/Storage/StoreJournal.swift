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

  init(_ store: Store, _ plan: EndPlan, _ inheritance: Inheritance, _ mark: NumberMark) {
    self.store = store
    self.mark = mark
    self.plan = plan
    storedBoot = inheritance.boot
    storedMount = inheritance.mount
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

  func commit(_ batch: inout Batch, of jobs: LiveJobTable) -> JournalRefusal? {
    if let last = batch.specifications.keys.max() { mark.cover(last) }
    do throws(StoreError) {
      let durability: Store.Durability = batch.durability == .full ? .full : .normal
      planned = try store.transaction(durability) { () throws(StoreError) in
        try writeBoot(jobs)
        return try write(&batch, jobs)
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

  func sweep(withKey key: String) throws(JournalRefusal) -> (first: JobNumber, count: Int)? {
    do throws(StoreError) {
      return try store.sweep(key: key).map { ($0.first, $0.count) }
    } catch {
      throw JournalRefusal("the store cannot be read: \(error.message)")
    }
  }

  func outcome(of number: JobNumber) -> Outcome? { ((try? store.job(number)) ?? nil)?.outcome }

  private func write(
    _ batch: inout Batch, _ jobs: LiveJobTable
  ) throws(StoreError) -> [EndCommandRow] {
    for sweep in batch.sweeps {
      try store.insert(
        StoredSweep(
          first: sweep.first, count: sweep.count, key: sweep.key,
          specification: sweep.specification))
    }
    for number in batch.changed {
      guard let job = jobs[number] else { continue }
      if let specification = batch.specifications[number] {
        try store.insert(
          job.row, specification: job.host == nil ? specification.bytes : nil,
          sweep: specification.sweep)
      } else {
        try store.update(job.row)
        if let bytes = batch.replacements[number] {
          try store.replaceSpecification(number, with: bytes)
        }
      }
    }
    for number in batch.released { try store.endLingering(number) }
    var due: [EndCommandRow] = []
    for line in batch.lines where line.kind == .ended { due += try addCommands(after: line, jobs) }
    for number in batch.succeeded {
      try store.dropSpecification(
        number, isSecret: jobs[number]?.details.hidesCommand ?? false)
    }
    let wall = batch.at.milliseconds
    for index in batch.lines.indices {
      let line = batch.lines[index]
      batch.lines[index].sequence = try store.append(
        eventAt: wall, number: line.number, kind: line.kind.rawValue,
        job: batch.json(line))
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
