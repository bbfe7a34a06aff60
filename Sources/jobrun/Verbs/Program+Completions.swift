import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// A possible word and its meaning.
  typealias Candidate = (word: String, summary: String)

  /// Carries out `jobrun completions SHELL [-- WORD …]`.
  func completions(_ invocation: Invocation) throws(WireError) -> Int32 {
    let word = invocation.operands[0].text
    guard let shell = CompletionShell(rawValue: word) else {
      let known = CompletionShell.allCases.map { $0.rawValue }
      throw WireError(
        .usage,
        "there are no completions for \(word.quoted)" + NearestName.hint(for: word, among: known)
      )
    }
    let isJSON = invocation.isSet(.json)
    guard invocation.arguments.isEmpty else {
      let request = CompletionRequest(shell.joined(invocation.arguments.map { $0.text }))
      if isJSON { answerJSON(request) } else { answer(request, in: shell) }
      return ExitCode.success
    }
    guard isJSON else {
      data.write(ours: shell.script)
      return ExitCode.success
    }
    writeJSON {
      $0.field("shell", shell.rawValue)
      $0.field("script", shell.script)
    }
    data.flush()
    return ExitCode.success
  }

  /// Whole words, regardless of the part that a shell would replace.
  private func answerJSON(_ request: CompletionRequest) {
    for (word, summary) in candidates(request) where word.hasPrefix(request.started) {
      writeJSON {
        $0.field("word", request.kept + word)
        $0.field("summary", summary)
      }
    }
    data.flush()
  }

  private func answer(_ request: CompletionRequest, in shell: CompletionShell) {
    switch request.wanted {
    case .command(let first):
      return data.write(line: CompletionShell.Delegation.command(from: first).line)
    case .source(.files): return data.write(line: CompletionShell.Delegation.files.line)
    case .source(.folders): return data.write(line: CompletionShell.Delegation.folders.line)
    case .verbs, .flags, .source, .requirements, .argumentFlags, .nothing: break
    }
    let typed = request.kept + request.started
    for (word, summary) in candidates(request) where word.hasPrefix(request.started) {
      let meaning = summary.isEmpty ? "" : "\t" + SafeText.shown(summary)
      let part = shell.replacement(request.kept + word, for: typed)
      if !part.isEmpty { data.buffer(line: SafeText.shown(String(part)) + meaning) }
    }
    data.flush()
  }
}
