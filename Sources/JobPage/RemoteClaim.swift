package import LinuxSystem

/// Decides whether an attempt that may start on another machine has started there, or never will.
///
/// The record is written whole and gets its name by link(2), which succeeds for exactly one claimant. So it
/// does not matter how often an engine starts a supervisor, or how late.
package enum RemoteClaim {
  /// Makes the record of the attempt with this first line; false when another claim came first.
  ///
  /// - Throws: when the result is unknown. The caller may try again: a claim of its own whose answer was
  ///   lost then counts as another's that came first.
  package static func make(
    _ folder: JobFolder, _ line: RunRecord.Line
  ) throws(SystemError) -> Bool {
    let own = "\(folder.path)/new.\(RandomBytes.hexadecimal(count: 8))"
    let file = try File.open(own, [.write, .create, .exclusive, .noFollow])
    do throws(SystemError) {
      try file.writeAll(Array(line.text.utf8))
      try file.synchronise()
    } catch {
      try? File.remove(own)  // the first error is the one to report
      throw error
    }
    defer { try? File.remove(own) }
    do throws(SystemError) {
      try File.addName(folder.record, to: own)
    } catch {
      // The link may have been made although the answer was lost; the file's own link count tells.
      if try File.open(own).status().links > 1 { return true }
      guard error.number == SystemError.exists else { throw error }
      return false
    }
    // The claim holds even if this fails: the name is visible to all readers.
    try? File.synchroniseDirectory(of: folder.record)
    return true
  }
}
