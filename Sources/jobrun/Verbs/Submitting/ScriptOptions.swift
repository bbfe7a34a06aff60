import JobWire
import LinuxSystem

// `#JOBRUN --limit 2h` in the comments at the beginning of a script, as sbatch has `#SBATCH`.
extension Program {
  /// The command line with the options of the script that it runs; its own take precedence.
  ///
  /// Only for a path: a program on PATH was not written for jobrun.
  func scriptOptions(of typed: Invocation) throws(WireError) -> Invocation {
    guard let name = typed.arguments.first, name.isText, name.text.contains("/") else {
      return typed
    }
    let folder = String(decoding: try directory(of: typed), as: UTF8.self)
    let path = name.text.hasPrefix("/") ? name.text : "\(folder)/\(name.text)"
    guard let bytes = Self.beginning(of: path) else { return typed }
    var invocation = Invocation(typed.verb)
    for line in ScriptOptions.lines(in: bytes) {
      do throws(WireError) {
        try invocation.take(ScriptOptions.words(of: line.text))
        // Of one job these are the slots that it holds.
        if invocation.isSet(.batchSlots) {
          throw WireError(
            .usage,
            "\(Flag.batchSlots.spelling) means something else with each; use it on the command line"
          )
        }
      } catch {
        throw WireError(
          error.code, "\(SafeText.shown(name.text)), line \(line.number): \(error.message)")
      }
    }
    return invocation.overridden(by: typed)
  }

  /// Nil for anything but a script.
  private static func beginning(of path: String) -> [UInt8]? {
    guard let file = try? File.open(path, [.read, .nonblocking, .noTerminal]),
      let status = try? file.status(), status.kind == .file,
      let first = try? file.read(at: 0, maximum: 2), first == Array("#!".utf8)
    else { return nil }
    return try? file.read(at: 0, maximum: ScriptOptions.bytesMost)
  }
}

/// The options in the comments at the beginning of a script.
enum ScriptOptions {
  /// Later options are ignored.
  static let bytesMost = 64 * 1024
  private static let mark = Array("#JOBRUN".utf8)

  /// The text behind `#JOBRUN` and the number of each such line, up to the first line that is no comment.
  static func lines(in bytes: [UInt8]) -> [(number: Int, text: String)] {
    var found: [(number: Int, text: String)] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 9 || $0 == 13 }
      guard isBlank || line.first == UInt8(ascii: "#") else { break }
      guard line.starts(with: mark) else { continue }
      let rest = line.dropFirst(mark.count)
      guard rest.first.map({ $0 == UInt8(ascii: " ") || $0 == 9 }) ?? true else { continue }
      found.append((index + 1, String(decoding: rest, as: UTF8.self)))
    }
    return found
  }

  /// The words, split as a shell does, with quotes but without expansions; a comment may follow.
  static func words(of text: String) throws(WireError) -> [Argument] {
    var words: [Argument] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character.isWhitespace {
        if let done = word { words.append(Argument(done)) }
        word = nil
      } else if character == "#", word == nil {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote { throw WireError(.usage, "the quote \(quote) is not closed") }
    if let word { words.append(Argument(word)) }
    return words
  }
}

extension Invocation {
  /// Adds options, and nothing but them.
  fileprivate mutating func take(_ words: [Argument]) throws(WireError) {
    guard let verb = Verb.named(verb) else { return }
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.text.hasPrefix("-"), word.text.count > 1, word.text != "--" else {
        throw WireError(.usage, "\(word.text.quoted) is not an option")
      }
      try parseFlag(word, of: verb, rest: &rest)
    }
    guard !wantsHelp else { throw WireError(.usage, "--help is not an option of a script") }
  }

  /// The options of both: those of `line` win, lists and requirements are added up.
  fileprivate func overridden(by line: Invocation) -> Invocation {
    var result = line
    for (flag, value) in values.all {
      switch (value, line.values[flag]) {
      case (_, nil): result.values[flag] = value
      case (.words(let mine), .words(let theirs)): result.values[flag] = .words(mine + theirs)
      case (.requirements(var mine), .requirements(let theirs)):
        mine.add(theirs)
        result.values[flag] = .requirements(mine)
      default: break
      }
    }
    return result
  }
}
