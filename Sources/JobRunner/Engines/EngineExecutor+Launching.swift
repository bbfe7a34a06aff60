import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension EngineExecutor {
  /// The complete launch order for a supervisor elsewhere.
  func order(
    of job: LiveJob, _ remote: RemoteAttempt, _ settings: EngineSettings
  ) throws -> [UInt8] {
    let number = job.number
    var specification = try context.specification(of: number)
    // They are of this machine.
    specification.terms = nil
    let isAlien = settings.through != nil
    if isAlien, job.details.movesFiles {
      specification.directory = Array(FilePlace(specification).directory.utf8)
    }
    if isAlien { specification.environment.removeAll { !settings.carries(Self.variable(of: $0)) } }
    specification.replace(
      with: [
        "JOBRUN_JOB=\(number)",
        "JOBRUN_IDENTIFIER=\(job.submission.identifier)",
        "JOBRUN_KIND=\(job.submission.options.kind.rawValue)",
        "JOBRUN_ATTEMPT=\(remote.name.attempt)",
        "JOBRUN_TOKEN=\(job.token(attempt: remote.name.attempt))",
      ] + job.details.environment)
    specification.tellProcessors(job.submission.options.requirements.processors)
    specification.wrap(in: settings.wrap + job.details.wrap)
    specification.prepare(with: job.details.before)
    specification.prepare(with: settings.before)
    // The supervisor there knows the paths of its files and the name of the command.
    var order = LaunchOrder(
      record: "", page: "", log: "", stateDirectory: "",
      token: job.token(attempt: remote.name.attempt),
      graceMilliseconds: job.submission.options.grace.milliseconds,
      creationMask: specification.creationMask ?? context.creationMask,
      specification: specification)
    order.terminal = job.submission.options.observation.terminal.map {
      LaunchOrder.TerminalSize(columns: $0.columns, rows: $0.rows)
    }
    if job.details.input == .terminal { order.input = .terminal("") }
    order.logLimit = job.details.logLimit ?? context.settings.current.logLimit
    order.watchesLog = true
    // In case this machine cannot enforce it.
    order.limitMilliseconds = job.submission.options.limit.map {
      ($0 + Self.limitSpare).milliseconds
    }
    order.warning = job.details.warning(before: job.submission.options.limit)
    order.lacksEnvironment = isAlien
    var recovery = job.recovery(launched: WallTime.now(), at: Instant.now(), boot: context.boot)
    // A store that cannot be written now keeps the launch waiting, with its helper.
    recovery.store = try? nameOfStore()
    order.recovery = String(decoding: recovery.json, as: UTF8.self)
    if recovery.store != nil { keep(order, of: job, remote) }
    guard case .copied(let count) = job.details.input else { return order.encoded() }
    order.input = .file("", bytes: count)
    return order.encoded() + (try input(of: job, count))
  }

  /// Stores here, too, the record by which a runner without its store finds the attempt.
  ///
  /// If there is no space for it, only that ability is lost.
  private func keep(_ order: LaunchOrder, of job: LiveJob, _ remote: RemoteAttempt) {
    var order = order
    order.record = note(of: remote)
    order.page = home.page(job.number, attempt: remote.name.attempt)
    if let specification = try? context.specification(of: job.number) {
      order.specification = specification
    }
    let path = home.paths.launchOrder(job.number, attempt: remote.name.attempt)
    let bytes = order.encoded()
    if context.cleanup.makeOfSpare(path, bytes) == nil {
      try? File.writeAtomically(bytes, to: path)
    }
  }

  /// The input is sent with it.
  private func input(of job: LiveJob, _ count: UInt64) throws -> [UInt8] {
    let path = home.paths.input(of: job)
    let bytes = try File.readAll(path, limit: Int(Limits.travellingInputBytes))
    guard bytes.count == count else {
      throw SystemError("use as standard input", SystemError.invalid, path: path)
    }
    return bytes
  }

  /// How much later than the runner a supervisor elsewhere ends a job at its limit.
  private static let limitSpare = Interval.seconds(5)

  private static func variable(of entry: [UInt8]) -> String {
    String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
  }

  /// The local page that terminals read; the worker's reports are copied into it.
  func makePage(of job: LiveJob, _ remote: RemoteAttempt) throws(JobPageError) {
    remote.pagePath = home.page(job.number, attempt: remote.name.attempt)
    try PageFile.create(
      remote.pagePath, number: job.number.value, attempt: UInt64(remote.name.attempt),
      title: job.title, subtitle: job.subtitle)
  }
}
