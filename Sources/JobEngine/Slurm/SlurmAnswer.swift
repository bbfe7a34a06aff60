/// What one call of a command of Slurm's came to.
package struct SlurmAnswer {
  /// Nil = it was killed, came too late, or could not be started.
  package var code: Int32?
  package var output: [UInt8] = []
  package var errors: [UInt8] = []
  /// How long it took, in nanoseconds.
  package var took: UInt64 = 0

  package init(code: Int32? = nil) { self.code = code }

  /// The first number of a line `NAME = NUMBER unit`; nil = it says nothing of that.
  package func setting(_ name: String) -> UInt64? {
    for line in output.split(separator: 0x0A) {
      let words = line.split(separator: 0x20)
      guard words.count > 2, words[0].elementsEqual(name.utf8) else { continue }
      return UInt64(String(decoding: words[2], as: UTF8.self))
    }
    return nil
  }

  /// What it complains of, without its own name before it.
  package var complaint: String {
    let lines = errors.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    guard let last = lines.last(where: { !$0.isEmpty }) else {
      return code == nil ? "no answer came in time" : "it ended with \(code ?? 0)"
    }
    // `sbatch: error: what is wrong`
    let parts = last.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 2)
    guard parts.count == 3, Substring(parts[1]) == " error" || Substring(parts[1]) == " fatal"
    else {
      return last
    }
    return String(Substring(parts[2].drop { $0 == 0x20 }))
  }
}
