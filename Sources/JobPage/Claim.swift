package import LinuxSystem

/// Deciding about an attempt that may begin on another machine: whether it has begun there, or never will.
///
/// The record is made whole and given its name by link(2), which succeeds for exactly one. So it matters
/// neither how often an engine starts a supervisor nor how late that comes.
package enum Claim {
  /// Makes the record of the attempt with this as its first line; false when somebody was first.
  ///
  /// - Throws: when that is not known. The same may be tried again: a claim whose answer was lost is then
  ///   somebody's who was first.
  package static func make(
    _ folder: JobFolder, _ line: RunRecord.Line
  ) throws(SystemError) -> Bool {
    let own = "\(folder.path)/new.\(RandomBytes.hexadecimal(count: 8))"
    let file = try File.open(own, [.write, .create, .exclusive, .noFollow])
    do throws(SystemError) {
      try file.writeAll(Array(line.text.utf8))
      try file.synchronise()
    } catch {
      try? File.remove(own)  // the first problem is the one to tell
      throw error
    }
    defer { try? File.remove(own) }
    do throws(SystemError) {
      try File.addName(folder.record, to: own)
    } catch {
      // Whether the name was given although the answer was lost is told by a look of its own at the file.
      if try File.open(own).status().links > 1 { return true }
      guard error.number == SystemError.exists else { throw error }
      return false
    }
    // The claim holds whether or not this succeeds: the name is there for all that look.
    try? File.synchroniseDirectory(of: folder.record)
    return true
  }
}
