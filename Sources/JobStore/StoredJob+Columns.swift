import JobCore

extension StoredJob {
  /// Set at acceptance, and when the job is edited; in the order in which they are bound and read.
  static let fixedColumns =
    ["number", "key", "identifier", "definition"] + OptionColumns.all
    + [
      "bundle", "not_before_ms", "submitted_ms", "host_mark", "host_pid", "host_start",
      "prerequisites", "on_end", "executed", "details",
    ]

  /// Change as the job lives; in the order in which they are bound and read.
  static let changingColumns = [
    "title", "subtitle", "state", "outcome", "stop_code", "stop_message", "message", "warning",
    "attempt", "exit_code", "signal", "pid", "completed", "total", "unit", "progress_source",
    "leased", "stalled_since_ns", "stop_deadline_ns", "started_ms", "ended_ms", "cpu_us",
    "resident_bytes", "bytes_read", "bytes_written", "processor_mj", "gpu_mj",
    "failures", "spent_ns",
    "running_since_ns",
    "delay_code", "delay_message",
    "delay_until_ns", "delay_until_ms", "patience_ns", "recogniser",
    "lingers", "paused_since_ns", "keeps_slot", "is_to_resume", "paused_ns", "pause_mark",
    "paused_at_ms", "paused_ms", "quiet_until_ns", "quiet_extension_ns",
    "held", "seat", "engine_job", "node",
  ]

  func bindFixed(to statement: Statement) {
    statement.bind(unsigned: number.value)
    statement.bind(submission.key)
    statement.bind(submission.identifier.text)
    statement.bind(definition)
    submission.options.bind(to: statement)
    statement.bind(submission.bundle?.text)
    statement.bind(submission.notBefore?.milliseconds)
    statement.bind(submittedMilliseconds)
    statement.bind(host?.mark)
    statement.bind(host.map { Int64($0.pid) })
    statement.bind(unsigned: host?.startTime)
    statement.bind(submission.after.map(\.stored).joined(separator: ","))
    statement.bind(onEnd)
    statement.bind(optionalBlob: executed)
    statement.bind(details)
  }

  func bindChanging(to statement: Statement) {
    statement.bind(title)
    statement.bind(subtitle)
    statement.bind(phase.rawValue)
    statement.bind(outcome?.rawValue)
    statement.bind(stopReason?.code.rawValue)
    statement.bind(stopReason?.message)
    statement.bind(message)
    statement.bind(warning)
    statement.bind(Int64(attempt))
    statement.bind(exitCode.map { Int64($0) })
    statement.bind(signal.map { Int64($0) })
    statement.bind(pid.map { Int64($0) })
    statement.bind(unsigned: progress?.completed)
    statement.bind(unsigned: progress?.total)
    statement.bind(progress?.unit)
    statement.bind(progress?.source)
    statement.bind(gpus.joined(separator: "\n"))
    statement.bind(unsigned: stalledSince?.nanoseconds)
    statement.bind(unsigned: stopDeadline?.nanoseconds)
    statement.bind(startedMilliseconds)
    statement.bind(endedMilliseconds)
    statement.bind(unsigned: cpuMicroseconds)
    statement.bind(unsigned: maxResidentBytes)
    statement.bind(unsigned: bytesRead)
    statement.bind(unsigned: bytesWritten)
    statement.bind(unsigned: processorMillijoules)
    statement.bind(unsigned: gpuMillijoules)
    statement.bind(Int64(failures))
    statement.bind(unsigned: spent.nanoseconds)
    statement.bind(unsigned: runningSince?.nanoseconds)
    statement.bind(delay?.reason.code.rawValue)
    statement.bind(delay?.reason.message)
    statement.bind(unsigned: delay?.until.nanoseconds)
    statement.bind(delay?.untilMilliseconds)
    statement.bind(unsigned: stallTimeout?.nanoseconds)
    statement.bind(progress?.recogniser)
    statement.bind(lingers ? 1 : 0)
    statement.bind(unsigned: pausedSince?.nanoseconds)
    statement.bind(keepsSlot ? 1 : 0)
    statement.bind(isToResume ? 1 : 0)
    statement.bind(unsigned: paused.nanoseconds)
    statement.bind(unsigned: pauseMark)
    statement.bind(pausedMilliseconds)
    statement.bind(unsigned: pausedFor.milliseconds)
    statement.bind(unsigned: quietUntil.nanoseconds)
    statement.bind(unsigned: quietExtension.nanoseconds)
    statement.bind(submission.isHeld ? 1 : 0)
    statement.bind(submission.seat)
    statement.bind(engineJob)
    statement.bind(node)
  }
}

extension Prerequisite {
  /// `12`, or `12*` where any end will do.
  fileprivate var stored: String { anyEnd ? "\(number)*" : "\(number)" }
}

extension Statement {
  /// SQLite's integers are signed: the bits are kept, so that every value comes back.
  func bind(unsigned number: UInt64) {
    bind(Int64(bitPattern: number))
  }

  func bind(unsigned number: UInt64?) {
    bind(number.map { Int64(bitPattern: $0) })
  }
}
