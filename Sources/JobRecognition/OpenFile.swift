/// One regular file that a process of the job has open, or that its command line names.
package struct OpenFile: Hashable, Sendable {
  /// The identity of the file, independent of its name.
  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  package var identity: Identity
  /// The last part of its path.
  package var name: String
  package var size: UInt64
  /// Nil: it is only named, beside another file that the same process has open.
  package var place: FilePosition?
  /// The command line names it, or it is the standard input: it is an input of the job.
  package var isNamed: Bool
  /// It was there before the job.
  package var isOlder: Bool
  /// It has not been removed.
  package var hasName: Bool
  /// The last change of its content, nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// The memory size of the process that has it open; 0 if unknown.
  package var heldBytes: UInt64

  package init(
    identity: Identity, name: String, size: UInt64, place: FilePosition?, isNamed: Bool = true,
    isOlder: Bool = true, hasName: Bool = true, modifiedNanoseconds: Int64 = 0,
    heldBytes: UInt64 = 0
  ) {
    self.identity = identity
    self.name = name
    self.size = size
    self.place = place
    self.isNamed = isNamed
    self.isOlder = isOlder
    self.hasName = hasName
    self.modifiedNanoseconds = modifiedNanoseconds
    self.heldBytes = heldBytes
  }
}

/// The fields of an open file in `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
package struct FilePosition: Hashable, Sendable {
  /// The access mode of the open file.
  package enum Access: Hashable, Sendable {
    case reading, writing, both
  }

  /// In bytes from its start.
  package var position: UInt64
  package var access: Access

  package init(position: UInt64, access: Access) {
    self.position = position
    self.access = access
  }

  /// Reads the lines `pos:` (decimal) and `flags:` (octal); nil when they are not there.
  package init?(information bytes: [UInt8]) {
    var position: UInt64?
    var flags: UInt64?
    for line in bytes.split(separator: 0x0A) {
      let fields = line.split { $0 == 0x09 || $0 == 0x20 }
      guard fields.count == 2 else { continue }
      if fields[0].equals("pos:") { position = fields[1].wholeNumber }
      if fields[0].equals("flags:") {
        flags = UInt64(String(decoding: fields[1], as: UTF8.self), radix: 8)
      }
    }
    guard let position, let flags else { return nil }
    // O_ACCMODE: 0 read, 1 write, 2 both.
    self.init(
      position: position, access: flags & 3 == 0 ? .reading : flags & 3 == 1 ? .writing : .both)
  }
}
