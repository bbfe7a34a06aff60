internal import JobPage

/// The scripts that a batch system starts: each becomes the supervisor of an attempt.
enum QueueScript {
  /// A signal that comes before the supervisor has handlers does not end it.
  private static let head = "#!/bin/sh\ntrap '' USR1 USR2\n"

  /// `program`: the supervisor's path on the nodes.
  ///
  /// `mark`: a file that it makes first, as a sign that it was begun.
  static func one(_ program: String, _ folder: JobFolder, mark: String? = nil) -> [UInt8] {
    let marking = mark.map { "true >\(quoted($0))\n" } ?? ""
    return Array("\(head)\(marking)exec \(quoted(program)) \(quoted(folder.path))\n".utf8)
  }

  /// For an array: each element finds its folder in the list, at its index from 0.
  static func many(_ program: String, list: String, index: String) -> [UInt8] {
    let line = "sed -n \"$((\(index) + 1))p\" \(quoted(list))"
    return Array("\(head)exec \(quoted(program)) \"$(\(line))\"\n".utf8)
  }

  /// As one word of a shell.
  static func quoted(_ word: String) -> String {
    var text = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
    }
    return text + "'"
  }
}
