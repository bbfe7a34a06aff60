/// The last error message in an output.
///
/// `RuntimeError: loss is nan`, `cp: error writing 'x': No space left on device`: the line a person would look
/// for at the end of the log.
package enum ErrorLine {
  /// The longest message, in bytes: the size of the page's field.
  package static let maximumBytes = 253
  /// The number of lines to search from the end.
  private static let maximumLines = 200

  private static let signs: [StaticString] = [
    "error", "exception", "fatal", "panic", "fail", "abort", "cannot", "can't", "could not",
    "couldn't", "unable to", "no such file", "not found", "denied", "no space left", "killed",
    "segmentation fault", "core dumped", "out of memory", "refused", "timed out", "unreachable",
    "not permitted", "undefined reference", "invalid", "read-only file system", "is not a",
    "unrecognized", "unrecognised", "unknown option", "disk quota exceeded", "broken pipe",
    "does not exist", "no rule to make", "err!", "command not found", "usage:",
  ]
  /// Phrases that contain a sign without being an error.
  private static let denials: [StaticString] = [
    "0 errors", "no errors", "without error", "0 failed", "no failures", "0 failures", "errors: 0",
    "errors=0", "failed: 0", "failed=0", "errors 0", "error: 0 ", "error=0", "warning:",
  ]
  /// Lines that only repeat an earlier error.
  private static let echoes: [StaticString] = [
    "ninja: build stopped", "error: could not compile",
    "npm err! a complete log", "npm error a complete log", "error: build failed",
    "fatal: build failed",
    "aborting due to", "for more information about this error", "error: recipe ", "exit status",
    "error: command failed", "compilation terminated", "collect2: error", "error: aborting",
    "build failed", "errors occurred", "error: subprocess-exited", "note:", "hint:", "help:",
  ]

  /// Finds it at the end of an output; nil when no line looks like one.
  ///
  /// Without an error word, it is a line near the end that begins with a program's name: `E: disk on fire`,
  /// `tar: x: Wrong magic`.
  package static func last(in output: some Sequence<UInt8>) -> String? {
    let lines = lines(of: output)
    var echo: [UInt8]?
    for index in lines.indices.reversed() {
      let line = lines[index]
      guard let found = judge(line) else { continue }
      guard found == .echo else { return text(line, with: lines[(index + 1)...].first) }
      echo = echo ?? line
    }
    let last = echo ?? lines.filter { !$0[...].trimmed.isEmpty }.suffix(3).last(where: isComplaint)
    return last.map { text($0, with: nil) }
  }

  /// Words before a colon that are not a program's name.
  private static let labels: [StaticString] = [
    "info", "debug", "trace", "note", "notice", "hint", "help", "warning", "warn", "done",
    "finished", "total", "elapsed", "time", "result", "results", "summary", "output", "status",
    "progress", "step", "epoch", "http", "https", "file", "ftp", "i", "d", "v", "w",
  ]
  private static let longestName = 64

  /// Whether it is `NAME: words`, or marked by stars as make does.
  private static func isComplaint(_ line: [UInt8]) -> Bool {
    let line = line[...].trimmed
    if line.starts(with: "*** ".utf8) { return true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      colon - line.startIndex <= longestName, line[colon...].dropFirst().first == 0x20,
      line.count - line[...colon].count > 4
    else { return false }
    let name = line[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let isName = name.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "._-/+[]".utf8.contains(byte)
    }
    return isName && name.contains { (0x61...0x7A).contains($0) }
      && !labels.contains { name.elementsEqual(String(describing: $0).utf8) }
  }

  private enum Judgement { case error, echo }

  /// Whole lines as they stood on a screen; a line that was written over counts as it was last.
  private static func lines(of output: some Sequence<UInt8>) -> [[UInt8]] {
    var reader = OutputLines()
    let found = reader.read(Array(output)).compactMap { element in
      if case .line(let line) = element { line } else { nil }
    }
    // An earlier attempt's errors are not this one's.
    let heading = found.lastIndex(where: \.isAttemptHeading)
    let last = heading.map { found[($0 + 1)...] } ?? found[...]
    return last.suffix(maximumLines).map(\.bytes)
  }

  private static func judge(_ line: [UInt8]) -> Judgement? {
    let lower = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...].trimmed
    guard lower.count > 3, !lower.starts(with: "at "), !lower.starts(with: "file \""),
      signs.contains(where: { lower.contains($0) }),
      !denials.contains(where: { lower.contains($0) })
    else { return nil }
    // `make: *** [all] Error 2`
    if lower.contains("make"), lower.contains("***"), lower.contains("] error ") { return .echo }
    return echoes.contains { lower.starts(with: $0) } ? .echo : .error
  }

  /// Rust writes the reason of a panic on the next line.
  private static func text(_ line: [UInt8], with next: [UInt8]?) -> String {
    var bytes = Array(line[...].trimmed.withoutBlanksAtEnd)
    if bytes.last == UInt8(ascii: ":"), bytes[...].contains("panicked at"), let next {
      bytes += [0x20] + next
    }
    let shown = String(decoding: bytes, as: UTF8.self)
    guard shown.utf8.count > maximumBytes else { return shown }
    var start = ""
    for character in shown {
      guard start.utf8.count + character.utf8.count <= maximumBytes - 3 else { break }
      start.append(character)
    }
    return start + "…"
  }
}
