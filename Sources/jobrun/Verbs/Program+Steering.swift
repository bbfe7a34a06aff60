import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun cancel ID… | --all`.
  func cancel(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    guard invocation.isSet(.cancelAll) else {
      var code = ExitCode.success
      for operand in invocation.operands {
        let result = stopOrExplain(operand, invocation, on: link)
        if code == ExitCode.success { code = result }
      }
      data.flush()
      return code
    }
    var count = 0
    _ = try link.ask(.cancelAll(now: invocation.isSet(.now))) { job in
      count += 1
      report(job, stopSentence(job), invocation)
    }
    if count == 0 { talk.write(line: "no jobs are running or waiting; there is nothing to cancel") }
    data.flush()
    return ExitCode.success
  }

  /// Stops one of several jobs: a mistake in one of them does not save the others.
  private func stopOrExplain(
    _ operand: Argument, _ invocation: Invocation, on link: RunnerLink
  ) -> Int32 {
    do throws(WireError) {
      if let group = try operand.group() { return try cancel(group, invocation, on: link) }
      return try cancel(operand, invocation, on: link)
    } catch {
      complain(error, isJSON: invocation.isSet(.json))
      return error.code.exitCode
    }
  }

  /// Stops one job; a job that has ended gets a sentence, and 0 if it was cancelled before.
  private func cancel(
    _ operand: Argument, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let job = try job(operand, on: link)
    if job.state == .ended { return try alreadyEnded(job, invocation) }
    let request = Request.cancel(.number(job.number), now: invocation.isSet(.now))
    do throws(WireError) {
      guard case .job(let after, let message) = try link.ask(request) else {
        throw WireError(.internal, "the runner did not answer with a job")
      }
      report(after, message ?? stopSentence(after), invocation)
      return ExitCode.success
    } catch {
      // It may have ended between the two questions.
      let after = try self.job(operand, on: link)
      guard error.code == .notFound, after.state == .ended else { throw error }
      return try alreadyEnded(after, invocation)
    }
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

  /// Carries out `jobrun continue ID [--no]`.
  func answerPrompt(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    let continues = !invocation.isSet(.no)
    let after = try self.job(
      answering: .answer(.number(job.number), continues: continues), on: link)
    let what = continues ? "continues" : "is stopping"
    report(after, "job \(after.number) \(what)", invocation)
    data.flush()
    return ExitCode.success
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
