internal import JobWire

/// The result of one call of a batch system's command.
package struct QueueAnswer {
  /// Nil = it was killed, came too late, or could not be started.
  package var code: Int32?
  package var output: [UInt8] = []
  package var errors: [UInt8] = []
  /// Its duration in nanoseconds.
  package var took: UInt64 = 0

  package init(code: Int32? = nil) { self.code = code }

  /// The first number of a line `NAME = NUMBER unit`; nil = there is no such line.
  package func setting(_ name: String) -> UInt64? {
    for line in output.split(separator: 0x0A) {
      let words = line.split(separator: 0x20)
      guard words.count > 2, words[0].elementsEqual(name.utf8) else { continue }
      return UInt64(String(decoding: words[2], as: UTF8.self))
    }
    return nil
  }

  /// The error message without the command's own name: of several lines the first names the cause, the last
  /// the consequence.
  package var complaint: String {
    var sentences: [String] = []
    for line in errors.split(separator: 0x0A) {
      let sentence = Self.sentence(of: String(decoding: line, as: UTF8.self))
      // A reference to the help is no error message, and neither is a good-bye.
      let isEmpty = sentence.isEmpty || sentence.hasPrefix("Try \"") || sentence == "Exiting."
      if isEmpty || sentences.contains(sentence) {
        continue
      }
      sentences.append(sentence)
    }
    if sentences.isEmpty {
      return code == nil ? "no answer came in time" : "it ended with \(code ?? 0)"
    }
    let few = sentences.count > Self.maximumLines ? [sentences[0]] + sentences.suffix(1) : sentences
    return few.joined(separator: "; ")
  }

  private static let maximumLines = 3

  private static let commands = [
    "sbatch", "squeue", "scancel", "scontrol", "qsub", "qstat", "qdel", "bsub", "bjobs", "bkill",
    "flux-submit", "flux-jobs", "flux-cancel", "flux",
  ]

  /// The last part of `sbatch: error: MESSAGE`.
  private static func sentence(of line: String) -> String {
    var rest = line.utf8[...]
    for words in [commands, ["error", "fatal"]] {
      guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
        words.contains(where: { rest[..<colon].elementsEqual($0.utf8) })
      else { continue }
      rest = rest[rest.index(after: colon)...].drop { $0 == 0x20 }
    }
    return SafeText.shown(String(Substring(rest)))
  }
}
