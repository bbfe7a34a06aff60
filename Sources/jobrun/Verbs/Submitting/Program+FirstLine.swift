import JobClient
import JobWire

extension Program {
  /// Reports the accepted job: for programs its number and identifier, for a person who watches it the possible
  /// keys.
  func announce(
    _ job: JobStatus, _ invocation: Invocation, watchedBy input: TerminalInput?, on link: RunnerLink
  ) throws(WireError) {
    if invocation.isSet(.json) {
      writeJSON(job)
    } else if printsNumber(invocation) {
      data.buffer(line: "\(job.number)")
    } else if !invocation.isSet(.quiet) {
      let isWatched = input != nil && watchStyle(invocation) == .live
      if !isWatched || !data.isTerminal { data.buffer(line: "\(job.number) \(job.identifier)") }
      if let input, isWatched, !takesKeys(job, invocation),
        try surroundings.configuration(link.paths).hints
      {
        explain(job, input, on: link)
      }
    }
    data.flush()
  }

  /// Whether only the number is printed, for `$(…)`.
  func printsNumber(_ invocation: Invocation) -> Bool {
    invocation.isSet(.id) || invocation.isSet(.quiet) && invocation.isSet(.detach)
  }

  private func explain(_ job: JobStatus, _ input: TerminalInput, on link: RunnerLink) {
    let wasTold = GreetedTerminal(of: 2, in: link.runtime)?.greet() ?? false
    let line = FirstLine.text(
      job, explains: !wasTold, hasKeys: input.hasKeys, width: (talk.columns ?? 80) - 1)
    talk.write(line: line)
  }
}
