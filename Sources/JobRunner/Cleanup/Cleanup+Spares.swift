import JobWire
import LinuxSystem

// Files of attempts that are over, which become those of new ones.
//
// A file system may take long to make a file where many were removed: ext4 passes over each that was freed
// within the last minutes, which is half a millisecond once some thousand short jobs have ended.
extension Cleanup {
  /// Moves a file that is no longer needed to where only this runner looks; removes it where that cannot be.
  func spare(_ path: String) {
    let aside = "\(home.paths.discarded)/\(lastSpare + 1)"
    do throws(SystemError) {
      guard spares.count < Limits.spareFiles else { return tidy(path) }
      if lastSpare == 0 { try File.makeDirectory(home.paths.discarded) }
      try File.rename(path, to: aside)
      lastSpare += 1
      spares.append(aside)
    } catch {
      tidy(path)
    }
  }

  /// Makes the file at `path` with this content out of a spare one; nil when it must be made in another way.
  ///
  /// The content is there before the name is. Unless it is `replacing`, a file that is there stays.
  func makeOfSpare(
    _ path: String, _ content: [UInt8], replacing: Bool = true
  ) -> FileDescriptor? {
    while let spare = spares.popLast() {
      guard let file = Self.usable(spare) else {
        tidy(spare)
        continue
      }
      do throws(SystemError) {
        if !content.isEmpty { try file.write(content, at: 0) }
        if try file.size() != UInt64(content.count) { try file.resize(to: UInt64(content.count)) }
        try File.rename(spare, to: path, replacing: replacing)
        return file
      } catch {
        tidy(spare)
        return nil
      }
    }
    return nil
  }

  /// A file that is as it was made, and that nobody else has open: a late supervisor of the job it was made
  /// for must not take it for its own, and a late reader must not see another's.
  private static func usable(_ path: String) -> FileDescriptor? {
    guard let file = try? File.open(path, [.read, .write, .noFollow, .nonblocking]),
      let status = try? file.status(), status.kind == .file, status.links == 1,
      status.owner == CurrentProcess.userIdentifier, status.mode == 0o600,
      status.size <= Self.largestSpare, file.isSole()
    else { return nil }
    return file
  }

  /// In bytes; emptying a larger one may take long.
  private static let largestSpare: UInt64 = 64 << 10

  /// Removes what nobody needs now.
  func removeSpares() {
    for path in spares { tidy(path) }
    spares = []
  }
}
