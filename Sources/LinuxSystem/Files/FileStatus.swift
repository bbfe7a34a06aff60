internal import CLinux

/// The result of stat(2).
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, directory, symbolicLink, socket, characterDevice, blockDevice, other
  }

  package var kind: Kind
  /// Permission bits with set-user-ID, set-group-ID and sticky bit.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// Device and inode number together identify a file on this machine.
  package var device: UInt64
  package var node: UInt64
  /// In bytes.
  package var size: UInt64
  /// Last change of the content, nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// The creation time, nanoseconds since 1970; 0 if unknown, and always for `File.status`.
  var bornNanoseconds: Int64
  /// The number of hard links.
  package var links: UInt32

  init(_ raw: clinux_status) {
    kind =
      switch raw.kind {
      case 1: .file
      case 2: .directory
      case 3: .symbolicLink
      case 4: .socket
      case 5: .characterDevice
      case 6: .blockDevice
      default: .other
      }
    mode = raw.mode
    owner = raw.owner
    group = raw.group
    device = raw.device
    node = raw.node
    size = UInt64(max(0, raw.size))
    modifiedNanoseconds = raw.modified_nanoseconds
    bornNanoseconds = raw.born_nanoseconds
    links = raw.links
  }
}
