internal import CLinux

/// What stat(2) tells about a file.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, directory, symbolicLink, socket, characterDevice, blockDevice, other
  }

  package var kind: Kind
  /// Permission bits with set-user-ID, set-group-ID and sticky bit.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// Device and node together name a file on this machine.
  package var device: UInt64
  package var node: UInt64
  /// In bytes.
  package var size: UInt64
  /// Last change of the content, nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// When it was made, nanoseconds since 1970; 0 where nobody knows, and of `File.status`.
  var bornNanoseconds: Int64
  /// Names that it has.
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
