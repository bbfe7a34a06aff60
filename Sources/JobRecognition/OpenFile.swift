/// One regular file that a process has open, and how far it is in it.
package struct OpenFile: Hashable, Sendable {
  /// The file itself, whatever it is called.
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
  package var place: FilePosition

  package init(identity: Identity, name: String, size: UInt64, place: FilePosition) {
    self.identity = identity
    self.name = name
    self.size = size
    self.place = place
  }
}

/// What `/proc/PID/fdinfo/N` says of an open file (proc_pid_fdinfo(5)).
package struct FilePosition: Hashable, Sendable {
  /// In bytes from its start.
  package var position: UInt64
  /// Opened to be written only.
  package var isWriting: Bool

  package init(position: UInt64, isWriting: Bool) {
    self.position = position
    self.isWriting = isWriting
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
    self.init(position: position, isWriting: flags & 3 == 1)
  }
}
