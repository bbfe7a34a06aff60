package import JobCore

/// The path of a file for a job's output: `/tmp/%g-%j.txt`.
///
/// `%j` is the job's number, `%g` its group (empty without one), `%i` its position in its submission from 1, `%%`
/// a percent sign and `%{` a brace that begins no place. For many jobs it may have the places of their command
/// (`CommandTemplate`), which are filled when the jobs are accepted.
package enum OutputPath {
  /// - Throws: `usage` for a relative path or an unknown placeholder.
  package static func check(_ path: String, _ name: String) throws(WireError) {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw WireError(.usage, "\(name) is \(path.quoted), which is not an absolute path")
    }
    var rest = path[...]
    while let sign = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: sign)...]
      guard let letter = rest.first, "jgi%{".contains(letter) else {
        throw WireError(
          .usage,
          "\(name) is \(path.quoted), and %\(rest.first.map(String.init) ?? "") is not a placeholder;"
            + " there are %j (number), %g (group), %i (position) and %%")
      }
      rest = rest.dropFirst()
    }
  }

  /// Whether each job of one submission has a file of its own.
  package static func isOwn(_ path: String) -> Bool {
    var rest = path[...]
    while let sign = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: sign)...]
      if rest.first == "j" || rest.first == "i" { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// The path for one job; `identifier` ends in its position if it is one of many.
  package static func filled(
    _ path: String, _ number: JobNumber, group: String?, identifier: String
  ) -> String {
    guard path.contains("%") else { return path }
    var text = ""
    var rest = path[...]
    while let sign = rest.firstIndex(of: "%") {
      text += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      switch rest.first {
      case "j": text += "\(number)"
      case "g": text += group ?? ""
      case "i": text += position(in: identifier)
      case "{": text += "{"
      default: text += "%"
      }
      rest = rest.dropFirst()
    }
    return text + rest
  }

  /// The path with the places for a job's inputs filled; a percent sign in an input is no placeholder.
  package static func filled(_ path: String, with filling: CommandTemplate.Filling) -> String {
    guard path.contains("{") else { return path }
    return parts(of: path).reduce(into: "") { text, part in
      guard !part.hasPrefix("%"), part.contains("{") else {
        text += part
        return
      }
      let words = CommandTemplate([Array(" \(part)".utf8)]).filled(with: filling)
      text += String(decoding: words.joined().dropFirst(), as: UTF8.self).escaping(["%": "%%"])
    }
  }

  /// The placeholders, and the texts between them.
  private static func parts(of path: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = path[...]
    while let sign = rest.firstIndex(of: "%") {
      parts.append(rest[..<sign])
      let end = rest.index(sign, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex
      parts.append(rest[sign..<end])
      rest = rest[end...]
    }
    return parts + [rest]
  }

  /// `io.jobrun.run.k3f9abcd.12` is the twelfth.
  private static func position(in identifier: String) -> String {
    let labels = identifier.split(separator: ".")
    guard labels.count == 5, let last = labels.last, UInt64(last) != nil else { return "1" }
    return String(last)
  }
}
