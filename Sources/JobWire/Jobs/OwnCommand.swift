/// The command of one of many different jobs, with a folder and variables of its own, in the form in which it is
/// sent and stored.
///
/// Each word has a NUL behind it. If anything but the command differs from what the jobs share, an empty word, the
/// folder (empty = the shared one), the variables and another empty word stand before it.
package struct OwnCommand: Hashable, Sendable {
  /// An absolute path; empty = that of all jobs.
  package var directory: [UInt8] = []
  /// `NAME=VALUE`, in addition to those of all jobs.
  package var variables: [[UInt8]] = []
  /// The program and its arguments, at least one.
  package var words: [[UInt8]]

  package init(_ words: [[UInt8]]) { self.words = words }

  package init(packed: ArraySlice<UInt8>) {
    var rest = PackedInputs.inputs(of: packed).map { Array($0) }[...]
    if rest.first == [], rest.count > 1 {
      directory = rest[rest.startIndex + 1]
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: []) ?? rest.endIndex
      variables = Array(rest[..<end])
      rest = rest[end...].dropFirst()
    }
    words = Array(rest)
  }

  package var packed: [UInt8] {
    let differs = !directory.isEmpty || !variables.isEmpty
    let all = (differs ? [[], directory] + variables + [[]] : []) + words
    return all.reduce(into: []) { bytes, word in
      bytes += word
      bytes.append(0)
    }
  }
}
