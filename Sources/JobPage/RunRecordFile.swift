internal import LinuxSystem

/// An open run record.
package struct RunRecordFile: ~Copyable {
  /// What is at a record's path.
  package enum Content: Hashable, Sendable {
    case record(RunRecord)
    /// Nothing is: it was not made yet, or somebody removed it.
    case absent
    /// Something that is no file: a folder, a link, a pipe.
    case damaged
  }

  private let file: FileDescriptor

  /// Reads a record without making or changing anything.
  ///
  /// - Throws: where it cannot be read now, so that nothing is known of it.
  package static func content(of path: String) throws(JobPageError) -> Content {
    try JobPageError.wrapping { () throws(SystemError) in
      guard let status = try File.status(path, followingLinks: false) else { return .absent }
      guard status.kind == .file else { return .damaged }
      return .record(try read(try File.open(path, [.read, .noFollow, .nonblocking])))
    }
  }

  /// Opens the record, making an empty one when it is missing (0600).
  package init(path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .append, .create, .noFollow])
    }
  }

  /// Opens a record that must be there, as the shim does.
  ///
  /// One that is missing was made, judged and removed: a shim that comes so late must not begin.
  package init(existing path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .append, .noFollow])
    }
  }

  /// For `Spawn.Announcement`: appends.
  package var number: Int32 { file.number }

  /// Takes the lock, which is held until this value goes away or its process ends; false when
  /// another has it, which means that the attempt's shim is alive.
  package borrowing func tryLock() throws(JobPageError) -> Bool {
    try JobPageError.wrapping { () throws(SystemError) in try file.tryLock() }
  }

  package borrowing func read() throws(JobPageError) -> RunRecord {
    try JobPageError.wrapping { () throws(SystemError) in try Self.read(file) }
  }

  private static func read(_ file: borrowing FileDescriptor) throws(SystemError) -> RunRecord {
    // Hardly any is longer than the first piece.
    let start = try file.read(at: 0, maximum: 4096)
    return RunRecord(parsing: start.count < 4096 ? start : try file.read(at: 0, maximum: 1 << 16))
  }

  /// Appends a line with one write; only the holder of the lock may.
  package borrowing func append(_ line: RunRecord.Line) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      let size = try file.size()
      let last = try file.read(at: max(size, 1) - 1, maximum: 1)
      let isTorn = size > 0 && last != [0x0A]
      try file.writeAll(Array(((isTorn ? "\n" : "") + line.text).utf8))
    }
  }

  /// Waits until what was appended is where others look for it.
  package borrowing func synchronise() throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in try file.synchronise() }
  }

  /// Takes back what a full disk took of a line; only the holder of the lock may.
  package borrowing func clear() throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in try file.resize(to: 0) }
  }
}
