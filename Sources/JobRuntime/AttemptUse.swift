/// What the last attempt that ended has used, as far as that is known.
package struct AttemptUse: Hashable, Sendable {
  /// User and system time of its whole tree.
  package var cpuMicroseconds: UInt64?
  package var maxResidentBytes: UInt64?
  /// From disks.
  package var bytesRead: UInt64?
  /// To disks.
  package var bytesWritten: UInt64?

  package init() {}
}
