import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun cancel ID… | --all`.
  func cancel(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let stop = try CancelOptions(invocation)
    if try JobFilter(invocation).isSet {
      return try forEachJob(invocation, .live, all: .cancelAll, on: link) {
        job throws(WireError) in
        let after = try self.job(
          answering: stop.request(.one(.number(job.number))), on: link)
        report(after, stopSentence(after), invocation)
      }
    }
    guard invocation.isSet(.cancelAll) else {
      // A job that the end of one before it has ended is what was asked for.
      var refused: Set<JobNumber> = []
      return try forEachOperand(invocation) { operand throws(WireError) in
        switch operand {
        case .one(let word): try cancel(word, stop, &refused, invocation, on: link)
        case .several(let jobs): try cancel(jobs, stop, invocation, on: link)
        }
      }
    }
    var count = 0
    _ = try link.ask(stop.request(.all)) { job in
      count += 1
      report(job, stopSentence(job), invocation)
    }
    if count == 0 { talk.write(line: "no jobs are running or waiting; there is nothing to cancel") }
    data.flush()
    return ExitCode.success
  }

  /// Stops several jobs in one step, of which there may be many: they are counted.
  private func cancel(
    _ selection: JobSelection, _ stop: CancelOptions, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let answer = try link.ask(stop.request(.some(selection)))
    guard case .count(let count, _) = answer else {
      throw WireError(.internal, "the runner did not answer with a count")
    }
    guard count > 0 else {
      throw try nothing(selection, "is running or waiting", on: link)
    }
    if invocation.isSet(.json) {
      writeJSON {
        switch selection {
        case .group(let group): $0.field("group", group.text)
        case .range(let range):
          $0.field("first", range.first.value)
          $0.field("last", range.last.value)
        }
        $0.field("count", count)
      }
    } else {
      let jobs = QuantityText.grouped(count) + (count == 1 ? " job" : " jobs")
      talk.write(line: "\(jobs) \(selection.phrase) \(count == 1 ? "is" : "are") stopping")
    }
    return ExitCode.success
  }

  /// Stops one job; a job that has ended gets a sentence, and 0 if it was cancelled before.
  private func cancel(
    _ operand: Argument, _ stop: CancelOptions, _ refused: inout Set<JobNumber>,
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let job = try job(operand, on: link)
    if job.state == .ended {
      if refused.contains(job.number) {
        if invocation.isSet(.json) { report(job, "", invocation) }
        return ExitCode.success
      }
      return try alreadyEnded(job, invocation)
    }
    let isAlone = invocation.operands.count == 1
    let dependents =
      isAlone && invocation.isSet(.json) ? [] : try dependents(of: job, on: link)
    refused.formUnion(dependents)
    let request = stop.request(.one(.number(job.number)))
    do throws(WireError) {
      guard case .job(let after, let message) = try link.ask(request) else {
        throw WireError(.internal, "the runner did not answer with a job")
      }
      report(after, (message ?? stopSentence(after)) + Self.refusals(dependents), invocation)
      return ExitCode.success
    } catch {
      // It may have ended between the two questions.
      let after = try self.job(operand, on: link)
      guard error.code == .notFound, after.state == .ended else { throw error }
      return try alreadyEnded(after, invocation)
    }
  }

  /// The jobs that are refused unless this one succeeds, directly or through others, ascending.
  private func dependents(
    of job: JobStatus, on link: RunnerLink
  ) throws(WireError) -> [JobNumber] {
    var found: Set<JobNumber> = []
    var open = [job]
    while let awaited = open.popLast(), found.count < Limits.prerequisitesShown {
      for number in awaited.terms.awaitedBy where !found.contains(number) {
        let next = try self.job(answering: .show(.number(number)), on: link)
        guard
          next.terms.after.contains(awaited.number) || next.terms.afterOne == [awaited.number]
        else { continue }
        found.insert(number)
        open.append(next)
      }
    }
    return found.sorted()
  }

  /// `; jobs 4, 5, which wait for its success, are refused`.
  private static func refusals(_ dependents: [JobNumber]) -> String {
    guard let list = JobFacts.numbers(dependents) else { return "" }
    let isOne = dependents.count == 1
    return "; \(isOne ? "job" : "jobs") \(list), which \(isOne ? "waits" : "wait") for its success,"
      + " \(isOne ? "is" : "are") refused"
  }

  private func stopSentence(_ job: JobStatus) -> String {
    job.state == .ended
      ? "job \(job.number) is \(job.outcome?.rawValue ?? "ended")" : "job \(job.number) is stopping"
  }

  private func alreadyEnded(_ job: JobStatus, _ invocation: Invocation) throws(WireError) -> Int32 {
    let sentence = "job \(job.number) has already ended: \(job.outcome?.rawValue ?? "ended")"
    guard job.outcome == .cancelled else { throw WireError(.notFound, sentence) }
    report(job, sentence, invocation)
    return ExitCode.success
  }

  /// Carries out `jobrun continue ID… [--no]`.
  func answerPrompt(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let continues = !invocation.isSet(.no)
    return try forEachJob(invocation, .asking, on: link) { job throws(WireError) in
      let after = try self.job(
        answering: .answer(.number(job.number), continues: continues), on: link)
      report(after, "job \(after.number) \(continues ? "continues" : "is stopping")", invocation)
    }
  }

  /// Carries out `jobrun simulate EVENT ID`.
  func simulate(_ invocation: Invocation) throws(WireError) -> Int32 {
    let word = invocation.operands[0].text
    guard let event = Request.SimulatedEvent(rawValue: word) else {
      let known = Request.SimulatedEvent.allCases.map { $0.rawValue }
      throw WireError(
        .usage,
        "\(word.quoted) cannot be simulated" + NearestName.hint(for: word, among: known))
    }
    let link = try link()
    let job = try job(invocation.operands[1], on: link)
    let after = try self.job(answering: .simulate(event, .number(job.number)), on: link)
    report(after, "job \(after.number) is \(after.state.rawValue)", invocation)
    data.flush()
    return ExitCode.success
  }

  func report(_ job: JobStatus, _ sentence: String, _ invocation: Invocation) {
    if invocation.isSet(.json) {
      writeJSON(job)
    } else {
      talk.write(line: SafeText.shown(sentence))
    }
  }
}
