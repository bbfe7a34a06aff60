import JobWire
import LinuxSystem

// Files of ended attempts, which are reused for new ones.
//
// A file system may be slow to create a file where many were removed: ext4 passes over each inode that was
// freed within the last minutes, which takes half a millisecond after some thousand short jobs.
extension Cleanup {
  /// Moves an unneeded file to the runner's spares; removes it if that fails.
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

  /// An unmodified file that no other process has open: a late supervisor of its former job must not use it,
  /// and a late reader must not see another job's data.
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

  /// Removes all spares.
  func removeSpares() {
    for path in spares { tidy(path) }
    spares = []
  }
}
