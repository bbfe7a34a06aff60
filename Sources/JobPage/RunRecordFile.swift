internal import LinuxSystem

/// An open run record.
package struct RunRecordFile: ~Copyable {
  /// The result of reading a record.
  package enum Content: Hashable, Sendable {
    case record(RunRecord)
    /// There is no file: it was not made yet, or was removed.
    case absent
    /// Not a regular file: a folder, a link, a pipe.
    case damaged
  }

  private let file: FileDescriptor

  /// Reads a record without making or changing anything.
  ///
  /// - Throws: when it cannot be read now, so that its content is unknown.
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

  /// Opens an existing record, as the shim does.
  ///
  /// A missing record was made, judged and removed: a shim that comes so late must not start anything.
  package init(existing path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .append, .noFollow])
    }
  }

  /// For `Spawn.Announcement`: appends.
  package var number: Int32 { file.number }

  /// Takes the lock, which is held until this value goes away or its process ends; false when another
  /// process holds it, which means that the attempt's shim is alive.
  package borrowing func tryLock() throws(JobPageError) -> Bool {
    try JobPageError.wrapping { () throws(SystemError) in try file.tryLock() }
  }

  package borrowing func read() throws(JobPageError) -> RunRecord {
    try JobPageError.wrapping { () throws(SystemError) in try Self.read(file) }
  }

  private static func read(_ file: borrowing FileDescriptor) throws(SystemError) -> RunRecord {
    // Hardly any record is longer than the first piece.
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

  /// Waits until appended lines are visible to readers on other machines.
  package borrowing func synchronise() throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in try file.synchronise() }
  }

  /// Removes what a full disk took of a line; only the holder of the lock may.
  package borrowing func clear() throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in try file.resize(to: 0) }
  }
}
