import JobClient
import JobWire
import LinuxSystem

// `jobrun engines add NAME`: a few questions, and the lines in `config.json`.
extension Program {
  func addEngine(
    _ words: [String], _ engines: [String: EngineSettings], _ invocation: Invocation,
    on link: RunnerLink
  ) throws(WireError) -> Int32 {
    guard words.count == 2 else {
      throw WireError(.usage, "engines add needs a name for the engine, as in engines add tower")
    }
    let name = words[1]
    if let problem = EngineName.problem(name) {
      throw WireError(.usage, "\(name.quoted) \(problem)")
    }
    guard engines[name] == nil else {
      throw WireError(
        .cannotCreate, "config.json has an engine called \(name) already; change it there")
    }
    var draft = EngineDraft(name: name)
    try answer(
      .engineKind, "What is it? host (a machine over ssh), slurm, or batch (another batch system)",
      invocation, &draft
    ) { draft, text in
      guard let kind = EngineDraft.kinds.first(where: { $0.rawValue == text }) else { return false }
      draft.kind = kind
      return true
    }
    if draft.kind == .batch {
      let presets = BatchSystem.presets.map { $0.name }.joined(separator: ", ")
      try answer(.enginePreset, "Which batch system? \(presets)", invocation, &draft) {
        draft, text in
        draft.preset = text
        return true
      }
    }
    let what = draft.kind == .host ? "What machine" : "Its login node"
    try answer(
      .engineThrough, "\(what), as ssh takes it? (nothing: this machine)", invocation, &draft,
      usual: ""
    ) { draft, text in
      draft.through = text.isEmpty ? nil : text
      return true
    }
    if draft.kind != .host {
      try answer(
        .engineFolder, "Which folder do all nodes see under the same path? It may be a new one",
        invocation, &draft
      ) { draft, text in
        draft.folder = text
        return true
      }
    }
    let engine = try draft.engine()
    try SettingsFile(path: link.paths.configurationFile).write(draft.changes, "the engine \(name)")
    { $0.engines[name] = engine }
    if link.connectIfRunning() { _ = try link.ask(.reload) }
    data.buffer(line: "\(name) is in config.json; jobrun engines check \(name) tries it")
    data.flush()
    return ExitCode.success
  }

  /// Takes the answer from the flag, or asks for it on a terminal until it makes sense.
  ///
  /// `usual`: the answer where nothing is said; nil = there must be one. `take` returns whether the answer is
  /// one of those that are possible.
  private func answer(
    _ flag: Flag, _ question: String, _ invocation: Invocation, _ draft: inout EngineDraft,
    usual: String? = nil, take: (inout EngineDraft, String) -> Bool
  ) throws(WireError) {
    let given = invocation.text(flag)
    guard given != nil || Terminal.isTerminal(0) && talk.isTerminal else {
      guard let usual else {
        throw WireError(
          .usage, "\(flag.spelling) is missing, and there is no terminal to ask on")
      }
      _ = take(&draft, usual)
      return
    }
    while true {
      if given == nil { talk.write(line: question) }
      let text = if let given { given } else { try line() }
      var changed = draft
      let isPossible = take(&changed, text.isEmpty ? usual ?? "" : text)
      let problem =
        isPossible ? changed.problem : "\(text.quoted) is not one of the possible answers"
      guard let problem else {
        draft = changed
        return
      }
      if given != nil { throw WireError(.usage, problem) }
      talk.write(line: "jobrun: \(problem)")
    }
  }

  /// One line from the terminal, without its end.
  private func line() throws(WireError) -> String {
    var bytes: [UInt8] = []
    while bytes.last != 0x0A {
      let reading = try WireError.from(.usage) { () throws(SystemError) in
        try BorrowedDescriptor(0).read(into: &bytes)
      }
      if case .end = reading { throw WireError(.usage, "no answer came; nothing was changed") }
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}
