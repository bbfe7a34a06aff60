import JobCore
import JobWire

extension Invocation {
  /// Reads a command line, without the program's name.
  ///
  /// `meaning`: the meaning of a word that is not a verb, if the caller knows it.
  /// - Throws: `usage`, naming the flag, its value and the nearest right one.
  static func parse(
    _ words: [Argument], meaning: (String) -> WordMeaning? = { _ in nil }
  ) throws(WireError) -> Invocation {
    guard let first = words.first else { return Invocation(.list) }
    if first.text == "--help" || first.text == "-h" { return Invocation(.help) }
    // `jobrun --all` is a list, too: bare jobrun means list.
    if first.text.hasPrefix("-") { return try parse(words[...], of: listVerb(for: first.text)) }
    guard let name = Verb.Name(rawValue: first.text), let verb = Verb.named(name) else {
      throw unknownVerb(first.text, before: words.dropFirst(), meaning)
    }
    return try parse(words.dropFirst(), of: verb)
  }

  private static func parse(
    _ words: ArraySlice<Argument>, of verb: Verb
  ) throws(WireError) -> Invocation {
    var invocation = Invocation(verb.name)
    var rest = words
    while let word = rest.popFirst() {
      let text = word.text
      if text == "--" {
        try invocation.parseArguments(rest, of: verb)
        break
      } else if text.hasPrefix("-"), text.count > 1 {
        try invocation.parseFlag(word, of: verb, rest: &rest)
      } else if case .command = verb.operands {
        invocation.arguments = [word] + rest
        break
      } else {
        invocation.operands.append(word)
      }
    }
    if !invocation.wantsHelp { try invocation.checkOperands(of: verb) }
    return invocation
  }

  /// `--name VALUE`, or letters.
  mutating func parseFlag(
    _ word: Argument, of verb: Verb, rest: inout ArraySlice<Argument>
  ) throws(WireError) {
    if word.text.hasPrefix("--") {
      try parseLong(word, of: verb, rest: &rest)
    } else {
      try parseShort(word, of: verb, rest: &rest)
    }
  }

  /// `--name VALUE` or `--name=VALUE`.
  private mutating func parseLong(
    _ word: Argument, of verb: Verb, rest: inout ArraySlice<Argument>
  ) throws(WireError) {
    let parts = word.text.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let flag = verb.flag(named: name) else { throw Self.unknownFlag("--\(name)", of: verb) }
    if flag == .help {
      wantsHelp = true
    } else if case .none = flag.value {
      guard parts.count == 1 else {
        throw WireError(.usage, "\(flag.spelling) takes no value; leave \"=\(parts[1])\" out")
      }
      values[flag] = .on
    } else if case .wordOrNone(let words) = flag.value, parts.count == 1 {
      // If the next word is not one of these, the flag has no value.
      let isThere = rest.first.map { words.contains($0.text) } ?? false
      try receive(isThere ? rest.popFirst()?.text ?? words[0] : words[0], for: flag)
    } else if parts.count == 2 {
      try checkText(of: word, for: flag)
      try receive(String(parts[1]), for: flag)
    } else {
      let next = try Self.value(of: flag, as: flag.spelling, from: &rest, of: verb)
      try checkText(of: next, for: flag)
      try receive(next.text, for: flag)
    }
  }

  /// The word after a flag; not another flag of the verb, because that is nearly always meant as one.
  private static func value(
    of flag: Flag, as spelling: String, from rest: inout ArraySlice<Argument>, of verb: Verb
  ) throws(WireError) -> Argument {
    guard let next = rest.popFirst(), next.text != "--" else {
      throw WireError(.usage, "\(spelling) needs a value: \(flag.usage)")
    }
    guard verb.hasFlag(spelled: next.text) else { return next }
    throw WireError(
      .usage,
      "\(spelling) needs a value, and \(next.text.escaped) is a flag; if it is the value, write"
        + " \(spelling)=\(next.text.escaped)")
  }

  /// Texts that are only displayed may have invalid bytes replaced; all others must be exact.
  private func checkText(of word: Argument, for flag: Flag) throws(WireError) {
    guard !word.isText, flag != .title, flag != .subtitle else { return }
    throw WireError(
      .usage,
      "\(flag.spelling) is not UTF-8: \(quoted(word)); only what follows -- may be any bytes")
  }

  /// `-f`, or several letters in one word; the value of the last, as in `-n 50` or `-n50`.
  private mutating func parseShort(
    _ word: Argument, of verb: Verb, rest: inout ArraySlice<Argument>
  ) throws(WireError) {
    var letters = word.text.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = verb.flag(short: letter) else {
        throw Self.unknownFlag("-\(letter)", of: verb)
      }
      if flag == .help {
        wantsHelp = true
      } else if case .none = flag.value {
        values[flag] = .on
      } else if !letters.isEmpty {
        return try receive(String(letters.first == "=" ? letters.dropFirst() : letters), for: flag)
      } else {
        let next = try Self.value(of: flag, as: "-\(letter)", from: &rest, of: verb)
        try checkText(of: next, for: flag)
        return try receive(next.text, for: flag)
      }
    }
  }

  private mutating func parseArguments(
    _ rest: ArraySlice<Argument>, of verb: Verb
  ) throws(WireError) {
    if verb.operands == .command || verb.takesArguments {
      arguments = Array(rest)
    } else {
      operands += rest
    }
  }

  private func checkOperands(of verb: Verb) throws(WireError) {
    let count = operands.count
    let fits =
      switch verb.operands {
      case .none: count == 0
      case .one: count == 1
      case .optional: count <= 1
      case .oneOrMore: count > 0
      case .oneOrMoreUnless(_, let flag):
        isSet(flag) ? count == 0 : count > 0 || isSet(.outcomes) || isSet(.states)
      case .upTo, .any: true
      case .two: count == 2
      case .command: !arguments.isEmpty
      }
    guard !fits else { return }
    throw WireError(.usage, "\(operandsProblem(of: verb)); usage: \(verb.usage)")
  }

  private func operandsProblem(of verb: Verb) -> String {
    switch verb.operands {
    case .command: return "\(verb.name.rawValue) needs a command"
    case .none: return "\(verb.name.rawValue) takes no argument, but got \(quoted(operands[0]))"
    case .oneOrMoreUnless(let operand, let flag) where !operands.isEmpty:
      return "\(flag.spelling) and \(operand.name) cannot be used together"
    case .one(let operand) where operands.count > 1:
      let hint = verb.takesArguments ? "; the job's own arguments go after --" : ""
      return
        "\(verb.name.rawValue) takes one \(operand.name), and \(quoted(operands[1])) follows it\(hint)"
    case .one, .optional, .oneOrMore, .any, .oneOrMoreUnless, .upTo, .two:
      return operands.count > 1
        ? "\(verb.name.rawValue) does not take \(quoted(operands[operands.count - 1]))"
        : "\(verb.name.rawValue) needs \(verb.operands.usage ?? "nothing")"
    }
  }

  private func quoted(_ argument: Argument) -> String { argument.text.quoted }
}
