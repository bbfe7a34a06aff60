import JobCore

extension Submission.Options {
  /// - Throws: `usage`, with a sentence about the first thing that is wrong.
  func check() throws(WireError) {
    try group?.checkMeaning()
    let counts = [("gpus", requirements.gpuCount), ("processors", requirements.processors)]
    for need in requirements.counted where !(1...Limits.countedRequirement).contains(need.count) {
      throw WireError(
        .usage,
        "the job asks for \(need.count) of \(need.name); 1 to \(Limits.countedRequirement) are possible"
      )
    }
    guard (1...Limits.slots).contains(slots), (0...Limits.slots).contains(groupSlots) else {
      throw WireError(
        .usage, "the job asks for \(slots) slots; 1 to \(Limits.slots) are possible")
    }
    guard (1...Limits.jobsAtOnce).contains(haltAfter) else {
      throw WireError(
        .usage, "\(haltAfter) failures are to halt the batch; it must be 1 to \(Limits.jobsAtOnce)")
    }
    for (name, count) in counts where !(0...Limits.countedRequirement).contains(count) {
      throw WireError(
        .usage, "the job asks for \(count) \(name); 0 to \(Limits.countedRequirement) are possible")
    }
    let positive = [
      ("stall-after", stallAfter), ("silent-after", silentAfter), ("limit", limit),
    ]
    for case (let name, .some(let span)) in positive where span.milliseconds == 0 {
      throw WireError(.usage, "\(name) must not be zero; 1ms is the shortest")
    }
    for (name, span) in positive + [
      ("grace", grace), ("the delay of retries", retryDelay),
      ("the pause between starts", startsApart),
    ] {
      try span?.check(name)
    }
    guard (0...Limits.retries).contains(retries) else {
      throw WireError(
        .usage, "retries is \(retries); it must be 0 to \(Limits.retries)")
    }
  }
}

extension Interval {
  /// - Throws: `usage` when the interval called `name` is too long to be meant.
  func check(_ name: String) throws(WireError) {
    guard milliseconds > Limits.durationMilliseconds else { return }
    throw WireError(.usage, "\(name) is longer than ten years, which is the limit")
  }
}
