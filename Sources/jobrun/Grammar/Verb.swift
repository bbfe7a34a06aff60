/// One verb of the command line: its operands, its flags and its help.
///
/// `Verb.all` is the only definition: parser, help, man page, completions and suggestions are made from it.
struct Verb: Sendable {
  enum Name: String, Hashable, Sendable, CaseIterable {
    case submit, run, each, attach, list, show, log, cancel, `continue`, wait, feed, jobs, register
    case resources, progress, simulate, runner, help, history, redo, completions, watch, forget, new
    case schedule, pending, slots, group, pause, resume, usage, move, hold, release, edit, settings
    case web, report, push, engines, start
    case submitFile = "submit-file"
  }

  /// The verb's operands, besides flags.
  enum Operands: Hashable, Sendable {
    case none
    /// Exactly one, called this in the help.
    case one(Operand)
    /// At most one.
    case optional(Operand)
    case oneOrMore(Operand)
    /// Any number; none means the latest.
    case any(Operand)
    /// None are needed when this flag is given.
    case oneOrMoreUnless(Operand, Flag)
    /// Up to one of each of these; the last may be repeated.
    case upTo([Operand])
    /// Exactly these two.
    case two(Operand, Operand)
    /// The rest of the line is a command; `--` before it may be left out.
    case command
  }

  let name: Name
  let operands: Operands
  /// Whether words after `--` are the job's.
  var takesArguments = false
  /// The name of these in the help.
  var argumentName = "ARG"
  let flags: [Flag]
  /// One sentence for the list of verbs.
  let summary: String
  /// More text for `help VERB`, one paragraph each; everyday content first.
  var details: [String] = []
  /// The output of `--json`, in one sentence; see `JSONGuide` for the objects.
  let json: String
  /// Command lines without `jobrun`.
  var examples: [String] = []
  /// Its names in other tools; only suggested, never accepted.
  var knownElsewhereAs: [String] = []

  /// The flag that is spelled so, `--help` among them.
  func flag(named name: String) -> Flag? {
    (flags + [.help]).first { $0.name == name }
  }

  func flag(short: Character) -> Flag? {
    (flags + [.help]).first { $0.short == short }
  }

  /// Whether a word is one of its flags: `--title`, `--title=x`, `-f`.
  func hasFlag(spelled word: String) -> Bool {
    if word.hasPrefix("--") {
      return flag(named: String(word.dropFirst(2).prefix { $0 != "=" })) != nil
    }
    return word.count == 2 && word.first == "-" && word.last.flatMap(flag(short:)) != nil
  }

  /// The first line of the help: `jobrun submit JOB [flags] [-- ARG …]`.
  var usage: String {
    var words = ["jobrun", name.rawValue]
    if case .command = operands {
      words.append("[flags] -- COMMAND [\(argumentName) …]")
      return words.joined(separator: " ")
    }
    if let text = operands.usage { words.append(text) }
    if !flags.isEmpty { words.append("[flags]") }
    if takesArguments { words.append("[-- \(argumentName) …]") }
    return words.joined(separator: " ")
  }
}

extension Verb.Operands {
  /// Its form in the help; nil without operands.
  var usage: String? {
    switch self {
    case .none, .command: nil
    case .one(let operand): operand.name
    case .optional(let operand): "[\(operand.name)]"
    case .oneOrMore(let operand): "\(operand.name) …"
    case .any(let operand): "[\(operand.name) …]"
    case .oneOrMoreUnless(let operand, let flag): "\(operand.name) … | \(flag.spelling)"
    case .upTo(let operands):
      operands.dropLast().reversed().reduce("[" + (operands.last?.name ?? "") + " …]") {
        "[\($1.name) \($0)]"
      }
    case .two(let first, let second): "\(first.name) \(second.name)"
    }
  }
}
