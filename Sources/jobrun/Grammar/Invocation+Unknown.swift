import JobWire

/// The meaning of a word in place of a verb.
enum WordMeaning: Hashable {
  /// A definition, with the command that starts it: `submit export`.
  case definition(start: String)
  /// A program that can be run.
  case program
}

// Unknown words: the error names the likely intention.
extension Invocation {
  /// `jobrun --all` lists; other flags in the place of a verb may be task-spooler's.
  static func listVerb(for word: String) throws(WireError) -> Verb {
    let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
    if let list = Verb.named(.list), list.flag(named: name) != nil { return list }
    let shown = word.quoted
    if let hint = SynonymHints.hint(forFirst: name) {
      throw WireError(.usage, "\(shown) is not a verb; \(hint)")
    }
    throw WireError(.usage, "\(shown) is neither a verb nor a flag of list; see jobrun help")
  }

  static func unknownVerb(
    _ text: String, before rest: ArraySlice<Argument> = [],
    _ meaning: (String) -> WordMeaning? = { _ in nil }
  ) -> WireError {
    WireError(.usage, "there is no verb \(text.quoted); \(hint(forVerb: text, rest, meaning))")
  }

  /// Existing names come before similar ones: a definition or a program is not a typing error.
  private static func hint(
    forVerb text: String, _ rest: ArraySlice<Argument>, _ meaning: (String) -> WordMeaning?
  ) -> String {
    let meaning = meaning(text)
    if case .definition(let start) = meaning { return "use jobrun \(start)\(shown(rest))" }
    let known = Verb.all.first { $0.knownElsewhereAs.contains(text) }
    if let hint = SynonymHints.hint(forVerb: text)
      ?? known.map({ "use jobrun \($0.name.rawValue)" })
    {
      return hint
    }
    if meaning == .program {
      return "use jobrun run -- \(ShellText.word(text))\(shown(rest, marked: false))"
    }
    return NearestName.nearest(to: text, among: Verb.all.map { $0.name.rawValue })
      .map { "did you mean \($0)?" }
      ?? "a command is run with jobrun run -- \(text.escaped), and jobrun help lists the verbs"
  }

  /// The words after the unknown verb, as far as they fit in a sentence.
  ///
  /// `marked`: put `--` before the job's arguments.
  private static func shown(_ rest: ArraySlice<Argument>, marked: Bool = true) -> String {
    guard let first = rest.first?.text else { return "" }
    let words = ShellText.command(rest.map { $0.text })
    let mark = marked && !first.hasPrefix("-") ? " -- " : " "
    return mark + (words.utf8.count <= 60 ? words : "…")
  }

  static func unknownTopic(_ text: String) -> WireError {
    let known = NearestName.suggestions(
      for: text,
      among: Verb.all.map { $0.name.rawValue } + Manual.Topic.allCases.map { $0.rawValue })
    let hint =
      known.isEmpty
      ? "jobrun help lists the verbs and topics, jobrun jobs the jobs"
      : "did you mean \(NearestName.choice(of: known))?"
    return WireError(
      .usage, "\(text.quoted) is not a verb, topic or job; \(hint)")
  }

  static func unknownFlag(_ text: String, of verb: Verb) -> WireError {
    let name = String(text.drop { $0 == "-" })
    let sentence = "\(verb.name.rawValue) has no flag \(text.escaped)"
    if let hint = SynonymHints.hint(forFlag: name, of: verb) {
      return WireError(.usage, "\(sentence); \(hint)")
    }
    // One letter is too little for a hint.
    let nearest =
      name.count < 2 ? nil : NearestName.nearest(to: name, among: verb.flags.map { $0.name })
    let hint =
      nearest.map { "did you mean --\($0)?" }
      ?? "jobrun help \(verb.name.rawValue) lists its flags"
    return WireError(.usage, "\(sentence); \(hint)")
  }
}
