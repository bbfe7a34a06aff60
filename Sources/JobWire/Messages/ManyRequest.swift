package import JobCore

/// Many jobs in one submission: they share everything but the inputs of their commands.
///
/// Beside the line come two files: the launch specification, whose command has places for inputs
/// (`CommandTemplate`), as the title may have; and the inputs (`PackedInputs`).
package struct ManyRequest: Hashable, Sendable {
  /// What they share; its key and its identifier are the stems of theirs.
  package var job: SubmitRequest
  package var count: Int
  /// Inputs of each.
  package var width: Int
  /// They differ in more than that: in place of the inputs come `MixedJobs`.
  package var isMixed = false

  package init(_ job: SubmitRequest, count: Int, width: Int) {
    self.job = job
    self.count = count
    self.width = width
  }

  /// What the core decides about.
  ///
  /// - Throws: `usage`, with a sentence about the first thing that is wrong.
  package func batch() throws(WireError) -> Batch {
    guard count > 0 else {
      throw WireError(.usage, "\(count) jobs cannot be submitted; at least one is needed")
    }
    guard count <= Limits.jobsAtOnce else {
      throw WireError(
        .unavailable,
        "\(count) jobs are too many for one submission; \(Limits.jobsAtOnce) is the limit,"
          + " and none of them is accepted")
    }
    guard (1...Limits.inputsOfJob).contains(width) else {
      throw WireError(
        .usage, "each job has \(width) inputs; 1 to \(Limits.inputsOfJob) are possible")
    }
    guard job.key.utf8.count + Batch.keyDigits <= Limits.keyBytesMost else {
      throw WireError(
        .usage,
        "the key of many jobs has \(job.key.utf8.count) bytes;"
          + " \(Limits.keyBytesMost - Batch.keyDigits) is the limit")
    }
    try checkKind()
    let batch = Batch(try job.submission(), count: count)
    let last = batch.submission(at: count - 1).identifier.text
    guard JobIdentifier(last) != nil else {
      throw WireError(.usage, JobIdentifier.problem(in: last) ?? "malformed identifier")
    }
    return batch
  }

  /// Only what any number of jobs can have alike.
  private func checkKind() throws(WireError) {
    let problem: String? =
      if job.host != nil {
        "run in the process that submits them"
      } else if job.options.kind.isScheduled || job.details.recurrence != nil {
        "be scheduled requests"
      } else if job.options.strategy == .fail {
        "start all at once or never"
      } else if job.options.ifExists != .refuse {
        "take the place of others"
      } else {
        switch job.details.input {
        case .none, .file: nil
        case .passed, .copied: "read what is piped in"
        case .terminal: "read a terminal"
        }
      }
    if let problem { throw WireError(.usage, "many jobs of one submission cannot \(problem)") }
  }
}

extension ManyRequest: Coded {
  package init() { self.init(SubmitRequest(), count: 0, width: 1) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&job, "job")
    try coder.code(&count, "count")
    try coder.codeAlways(&width, "width")
    try coder.code(&isMixed, "mixed", usual: false)
  }
}
