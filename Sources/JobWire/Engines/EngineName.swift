import JobCore

/// The argument of `--on`.
package enum EngineName {
  /// This machine.
  package static let here = MachineName.here
  /// Of a name, in bytes: it is in paths and in the names that an engine shows.
  private static let longest = 32

  /// The error in a name, as the end of a sentence; nil when it is valid.
  package static func problem(_ name: String) -> String? {
    if name == here { return "is what this machine is called" }
    let isPlain = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= longest else {
      return "is not a name; use 1 to \(longest) of a-z, 0-9 and -"
    }
    return nil
  }

  /// The sentence that an engine does not answer, with the reason and the time.
  package static func silence(_ name: String, since: String, why: String) -> String {
    "\(beginningOfSilence(name)) \(since): \(why)"
  }

  /// Whether a sentence says that the engine does not answer.
  package static func isSilence(_ sentence: String, of name: String) -> Bool {
    sentence.hasPrefix(beginningOfSilence(name))
  }

  private static func beginningOfSilence(_ name: String) -> String {
    "\(name) has not answered since"
  }

  /// The sentence for a name that no engine has.
  package static func unknown(_ name: String, among names: [String]) -> String {
    let known = names.sorted()
    let hint = NearestName.hint(for: name, among: known + [here])
    return known.isEmpty
      ? "no engine is called \(name.quoted), as config.json has none"
      : "no engine is called \(name.quoted)\(hint)"
  }
}
