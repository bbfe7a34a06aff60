/// A definition's help for people: its purpose, and the form of its arguments.
package struct JobGuide: Hashable, Sendable {
  /// A positional argument after `--`.
  package struct Argument: Hashable, Sendable {
    /// In capitals by custom: `SOURCE`.
    package var name: String
    package var isRequired: Bool
    /// One phrase; may be empty.
    package var about: String

    package init(name: String, isRequired: Bool = true, about: String = "") {
      self.name = name
      self.isRequired = isRequired
      self.about = about
    }
  }

  /// One paragraph a line; may be empty.
  package var about = ""
  /// The form of its arguments, as `[--force] SOURCE [TARGET]`; nil = derived from their names.
  package var usage: String?
  /// The positional arguments; required ones come first.
  package var arguments: [Argument] = []

  package init() {}

  /// Whether there is no help.
  package var isEmpty: Bool { about.isEmpty && usage == nil && arguments.isEmpty }

  /// The first sentence of `about`, without its full stop.
  package var summary: String {
    let bytes = Array(about.utf8)
    let stop = UInt8(ascii: ".")
    let end = bytes.indices.first { index in
      bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == stop && (index + 1 == bytes.count || bytes[index + 1] == 0x20)
    }
    return String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
  }

  /// The form of the arguments; empty when it is unknown.
  package var form: String {
    usage ?? arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" }.joined(separator: " ")
  }

  /// The required arguments that are missing from these words.
  ///
  /// Flags do not count as arguments, nor do their values if `usage` shows that they take one.
  package func missing(from words: [String]) -> [Argument] {
    let required = arguments.filter { $0.isRequired }
    guard !required.isEmpty else { return [] }
    return Array(required.dropFirst(operands(of: words)))
  }

  /// The flags that `usage` shows, in its order.
  package var flags: [String] {
    tokens.map { $0.word }.filter { $0.hasPrefix("-") && $0.count > 1 }
  }

  private func operands(of words: [String]) -> Int {
    let takers = flagsWithValues
    var count = 0
    var skipsNext = false
    for (index, word) in words.enumerated() {
      if skipsNext {
        skipsNext = false
      } else if word == "--" {
        return count + words.count - index - 1
      } else if word.hasPrefix("-"), word != "-" {
        skipsNext = takers.contains(word)
      } else {
        count += 1
      }
    }
    return count
  }

  /// The flags with a value in their brackets: `[--every DURATION | --once]`.
  private var flagsWithValues: [String] {
    let tokens = tokens
    return tokens.indices.dropLast().filter { index in
      let next = tokens[index + 1].word
      return tokens[index].isOpen && tokens[index].word.hasPrefix("-") && !next.hasPrefix("-")
        && next != "|"
    }.map { tokens[$0].word }
  }

  /// The words of `usage` without brackets, each with whether its bracket is still open.
  private var tokens: [(word: String, isOpen: Bool)] {
    var depth = 0
    return (usage ?? "").split(separator: " ").map { piece in
      depth += piece.count { $0 == "[" } - piece.count { $0 == "]" }
      return (String(piece.filter { $0 != "[" && $0 != "]" }), depth > 0)
    }
  }
}

extension Definition {
  /// Throws `usage` when required arguments are missing.
  ///
  /// `verb`: the typed verb, for the form at the end of the sentence.
  package func checkArguments(_ words: [String], verb: String) throws(WireError) {
    let missing = manifest.guide.missing(from: words).map { $0.name }
    guard let last = missing.last else { return }
    let names =
      missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and " + last
    throw WireError(
      .usage,
      "\(name) needs \(names); usage: jobrun \(verb) \(name) [flags] -- \(manifest.guide.form)"
    )
  }
}
