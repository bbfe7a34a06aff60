import JobCore
import JobWire

/// The kind of word that completes an unfinished command line.
///
/// A value that describes the wanted words; its caller searches files and the runner for them.
struct CompletionRequest: Hashable {
  enum Wanted: Hashable {
    case verbs
    case flags([Flag])
    case source(Source)
    /// Values of `--require`, after the last comma.
    case requirements
    /// Flags of the definition with this name.
    case argumentFlags(of: String)
    /// The words from this one on are a separate command line.
    case command(from: Int)
    case nothing
  }

  var wanted: Wanted
  /// The finished part of the last word: `--strategy=` or `gpu,`.
  var kept = ""
  /// The typed beginning of the word to complete.
  var started = ""
  /// The value of an earlier `--jobs`.
  var jobs: String?

  /// `words`: all after `jobrun`, the last being the one at the cursor, perhaps empty.
  init(_ words: [String]) {
    let last = words.last ?? ""
    started = last
    guard let first = words.first, words.count > 1 || first.hasPrefix("-") else {
      wanted = .verbs
      return
    }
    let isList = first.hasPrefix("-")
    guard let verb = isList ? Verb.named(.list) : Verb.Name(rawValue: first).flatMap(Verb.named)
    else {
      wanted = .nothing
      return
    }
    wanted = .nothing
    read(words, from: isList ? 0 : 1, of: verb)
  }

  private mutating func read(_ words: [String], from start: Int, of verb: Verb) {
    var pending: Flag?
    var operands = 0
    var job = ""
    var given: Set<Flag> = []
    for (index, word) in words.enumerated().dropLast().dropFirst(start) {
      if let flag = pending {
        if flag == .jobs { jobs = word }
        pending = nil
      } else if word == "--" {
        return readArguments(from: index + 1, operands: operands, of: verb, job: job)
      } else if word.hasPrefix("-"), word.count > 1 {
        guard let flag = flag(word, of: verb) else { continue }
        if !flag.mayRepeat { given.insert(flag) }
        if flag.value != .none, !word.contains("=") { pending = flag }
        if flag == .jobs, word.contains("=") { jobs = String(word.dropFirst("--jobs=".count)) }
      } else if verb.operands == .command {
        wanted = .command(from: index)
        return
      } else {
        if operands == 0 { job = word }
        operands += 1
      }
    }
    readLast(pending, operands: operands, given: given, count: words.count, of: verb)
  }

  private func flag(_ word: String, of verb: Verb) -> Flag? {
    guard word.hasPrefix("--") else { return word.last.flatMap(verb.flag(short:)) }
    return verb.flag(named: String(word.dropFirst(2).prefix { $0 != "=" }))
  }

  private mutating func readLast(
    _ pending: Flag?, operands: Int, given: Set<Flag>, count: Int, of verb: Verb
  ) {
    if let pending {
      readValue(of: pending)
    } else if started.hasPrefix("--"), let equals = started.firstIndex(of: "=") {
      guard let flag = flag(started, of: verb) else { return }
      kept = String(started[...equals])
      started = String(started[started.index(after: equals)...])
      readValue(of: flag)
    } else if started.hasPrefix("-") {
      wanted = .flags((verb.flags + [.help]).filter { !given.contains($0) })
    } else if verb.operands == .command {
      wanted = .command(from: count - 1)
    } else {
      wanted = verb.operands.source(at: operands).map { .source($0) } ?? .nothing
    }
  }

  private mutating func readArguments(
    from first: Int, operands: Int, of verb: Verb, job: String
  ) {
    if verb.operands == .command {
      wanted = .command(from: first)
    } else if verb.takesArguments, started.hasPrefix("-"), verb.operands.isDefinition {
      wanted = .argumentFlags(of: job)
    } else if verb.takesArguments {
      wanted = .source(.files)
    } else {
      wanted = verb.operands.source(at: operands).map { .source($0) } ?? .nothing
    }
  }

  /// Completes only the part of a list after the last comma.
  private mutating func keepList() {
    guard let comma = started.lastIndex(of: ",") else { return }
    kept += String(started[...comma])
    started = String(started[started.index(after: comma)...])
  }

  private mutating func readValue(of flag: Flag) {
    switch flag.value {
    case .choice(let words), .wordOrNone(let words): wanted = .source(.words(words))
    case .durationOrNever: wanted = .source(.words(["never"]))
    case .text where flag == .titlePart: wanted = .source(.titles)
    case .text(let placeholder): wanted = .source(Source(placeholder: placeholder))
    case .requirements:
      keepList()
      wanted = .requirements
    case .columns:
      keepList()
      wanted = .source(.words(JobColumn.allCases.map { $0.rawValue }))
    case .jobs:
      keepList()
      wanted = .source(.jobs(.live))
    case .list where flag == .states || flag == .outcomes:
      keepList()
      wanted = .source(
        .words(
          flag == .states
            ? JobStatus.State.allCases.map { $0.rawValue } : Outcome.allCases.map { $0.rawValue }))
    case .none, .duration, .count, .list: wanted = .nothing
    }
  }
}

extension Flag {
  /// Whether it may be given several times.
  fileprivate var mayRepeat: Bool {
    switch value {
    case .requirements, .jobs, .list: true
    case .none, .text, .choice, .wordOrNone, .duration, .durationOrNever, .count, .columns: false
    }
  }
}

extension Verb.Operands {
  /// Whether the verb's operand is a job to start.
  fileprivate var isDefinition: Bool {
    if case .one(let operand) = self { operand.source == .definitions } else { false }
  }

  /// The source of the operand after `count` others; nil when no more are allowed.
  fileprivate func source(at count: Int) -> Source? {
    switch self {
    case .none, .command: nil
    case .one(let operand), .optional(let operand): count == 0 ? operand.source : nil
    case .oneOrMore(let operand), .any(let operand), .oneOrMoreUnless(let operand, _):
      operand.source
    case .upTo(let operands): operands[min(count, operands.count - 1)].source
    case .two(let first, let second):
      count == 0 ? first.source : count == 1 ? second.source : nil
    }
  }
}
