import JobClient
import JobCore
import JobWire

extension Flag {
  static let allWaiting = Flag("all", .none, "every waiting job")
  static let allHeld = Flag("all", .none, "every held job")
  static let allEnded = Flag("all", .none, "every ended job")
  static let allUnsuccessful = Flag("all", .none, "every ended job that did not succeed")
}

/// An operand in all verbs about jobs: one job (`12`, `@`, an identifier, a name), or several (`7-9`,
/// `group:NAME`).
enum JobOperand: Hashable {
  case one(Argument)
  case several(JobSelection)

  /// Explains it in a sentence of a verb's help.
  static let help =
    "ID may be several: 12 14, 12,14, 7-9 or group:NAME."

  /// The same where no ID is needed.
  static let helpLatest =
    help
    + " Without ID, it is the latest job that runs, else the only one that waits, else the latest."

  /// The operands of a verb; `12,14` is two of them.
  ///
  /// - Throws: `usage` for an invalid range or group name.
  static func all(_ words: [Argument]) throws(WireError) -> [JobOperand] {
    var operands: [JobOperand] = []
    for word in words {
      // A title may have commas and hyphens; numbers are unambiguous.
      let parts = word.text.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count > 1, parts.allSatisfy(isNumeric) else {
        operands.append(try JobOperand(word))
        continue
      }
      for part in parts { operands.append(try JobOperand(Argument(String(part)))) }
    }
    return operands
  }

  init(_ word: Argument) throws(WireError) {
    if let group = try word.group() {
      self = .several(.group(group))
    } else if let range = try Self.range(word.text) {
      self = .several(.range(range))
    } else {
      self = .one(word)
    }
  }

  private static func isNumeric(_ part: Substring) -> Bool {
    part.hasPrefix("@")
      || part.first?.isNumber ?? false && part.allSatisfy { $0.isNumber || $0 == "-" }
  }

  /// `7-9`, both included; nil for other texts.
  private static func range(_ text: String) throws(WireError) -> JobRange? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, UInt64(ends[0]) != nil, UInt64(ends[1]) != nil else { return nil }
    guard let range = JobRange(text) else {
      throw WireError(
        .usage,
        "\(text.quoted) is not a range of jobs: it must go up, from 1 or more, over"
          + " \(Limits.jobsAtOnce) at most"
      )
    }
    return range
  }
}

/// With which of the selected jobs a verb can do something.
enum JobScope {
  case any, live, waiting, held, asking, ended, unsuccessful, failed

  /// The message without such jobs: `no job of group x is waiting`.
  var predicate: String {
    switch self {
    case .any: "is known"
    case .live: "is running or waiting"
    case .waiting: "is waiting"
    case .held: "is on hold"
    case .asking: "has a question"
    case .ended: "has ended"
    case .unsuccessful: "has ended without success"
    case .failed: "has failed"
    }
  }

  /// Whether ended jobs are included.
  var hasEnded: Bool {
    switch self {
    case .live, .waiting, .held, .asking: false
    case .any, .ended, .unsuccessful, .failed: true
    }
  }

  func includes(_ job: JobStatus) -> Bool {
    switch self {
    case .any: true
    case .live: job.state != .ended
    case .waiting: job.state == .queued
    case .held: job.pendingReason?.code == .held
    case .asking: job.state == .stalled
    case .ended: job.state == .ended
    case .unsuccessful: job.state == .ended && job.outcome != .succeeded
    case .failed:
      job.state == .ended && job.outcome != .succeeded && job.outcome != .cancelled
    }
  }
}

extension Program {
  /// Applies an action to each selected job; a failure does not affect the others.
  ///
  /// `all` selects every job in `scope`, which may be none.
  /// - Returns: the first exit code that is not that of success.
  func forEachJob(
    _ invocation: Invocation, _ scope: JobScope, all: Flag? = nil, on link: RunnerLink,
    _ act: (JobStatus) throws(WireError) -> Void
  ) throws(WireError) -> Int32 {
    let filter = try JobFilter(invocation)
    let isAll = all.map(invocation.isSet) ?? false
    if isAll || filter.isSet && invocation.operands.isEmpty {
      let jobs = try jobs(nil, scope, on: link).filter(filter.includes)
      if jobs.isEmpty {
        talk.write(
          line: filter.isSet
            ? "no job \(scope.predicate) that matches" : "no job \(scope.predicate)")
      }
      return carryOut(on: jobs, invocation, act)
    }
    if invocation.operands.isEmpty {
      try act(try latest(on: link))
      data.flush()
      return ExitCode.success
    }
    return try forEachOperand(invocation) { operand throws(WireError) in
      switch operand {
      case .one(let word):
        let job = try job(word, on: link)
        if filter.includes(job) { try act(job) }
        return ExitCode.success
      case .several(let selection):
        let jobs = try jobs(selection, scope, on: link).filter(filter.includes)
        guard !jobs.isEmpty || filter.isSet else {
          throw try nothing(selection, scope.predicate, on: link)
        }
        if jobs.isEmpty {
          talk.write(line: "no job \(selection.phrase) \(scope.predicate) that matches")
        }
        return carryOut(on: jobs, invocation, act)
      }
    }
  }

  /// The job to use without an operand: the latest that runs, else the only one that waits, else the latest.
  func latest(on link: RunnerLink) throws(WireError) -> JobStatus {
    var (running, waiting) = (JobNumber?.none, JobNumber?.none)
    var count = 0
    _ = try link.list(all: false, brief: true, of: nil) { job in
      if job.state.hasPage { running = job.number } else { waiting = job.number }
      count += 1
      return true
    }
    let meant = running ?? (count == 1 ? waiting : nil)
    return try job(answering: .show(meant.map { .number($0) } ?? .latest(back: 0)), on: link)
  }

  /// The error for a selection that matches no job: what was looked for, and which jobs there are.
  func nothing(
    _ selection: JobSelection, _ predicate: String, on link: RunnerLink
  ) throws(WireError) -> WireError {
    WireError(.notFound, "no job \(selection.phrase) \(predicate)\(try extent(on: link))")
  }

  /// The existing jobs, for an error message: `; jobs from 1 to 28 are known`.
  private func extent(on link: RunnerLink) throws(WireError) -> String {
    var (first, last) = (JobNumber?.none, JobNumber?.none)
    _ = try link.list(all: true, brief: true, of: nil) { job in
      first = first ?? job.number
      last = job.number
      return true
    }
    guard let first, let last else { return "; no job is known" }
    return first == last
      ? "; only job \(first) is known" : "; jobs from \(first) to \(last) are known"
  }

  /// Applies an action to each operand, reports failures, and flushes.
  func forEachOperand(
    _ invocation: Invocation, _ act: (JobOperand) throws(WireError) -> Int32
  ) throws(WireError) -> Int32 {
    let operands = try JobOperand.all(invocation.operands)
    defer { data.flush() }
    return carryOut(on: operands, invocation, act)
  }

  private func carryOut(
    on jobs: [JobStatus], _ invocation: Invocation, _ act: (JobStatus) throws(WireError) -> Void
  ) -> Int32 {
    defer { data.flush() }
    return carryOut(on: jobs, invocation) { job throws(WireError) in
      try act(job)
      return ExitCode.success
    }
  }

  private func carryOut<Item>(
    on items: [Item], _ invocation: Invocation, _ act: (Item) throws(WireError) -> Int32
  ) -> Int32 {
    var first = ExitCode.success
    for item in items {
      var code = ExitCode.success
      do throws(WireError) {
        code = try act(item)
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        code = error.code.exitCode
      }
      if first == ExitCode.success { first = code }
    }
    return first
  }

  /// The jobs of a selection, or all, that are in the scope, ascending.
  func jobs(
    _ selection: JobSelection?, _ scope: JobScope, on link: RunnerLink
  ) throws(WireError) -> [JobStatus] {
    var group: GroupName?
    if case .group(let name) = selection { group = name }
    var found: [JobStatus] = []
    _ = try link.list(all: scope.hasEnded, brief: false, of: group) { job in
      let isMeant =
        selection?.contains(job.number, of: job.terms.group.flatMap { GroupName($0) }) ?? true
      if isMeant, scope.includes(job) { found.append(job) }
      return true
    }
    return found
  }
}

extension JobSelection {
  /// `of group render`, `from 7 to 9`.
  var phrase: String {
    switch self {
    case .range(let range): "from \(range.first) to \(range.last)"
    case .group(let name): "of group \(name)"
    }
  }

  /// `group render`, `jobs 7 to 9`.
  var name: String {
    switch self {
    case .range(let range): "jobs \(range)"
    case .group(let name): "group \(name)"
    }
  }
}
