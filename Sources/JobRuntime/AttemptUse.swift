internal import JobCore

/// What the attempts that have ended have used, as far as that is known.
package struct AttemptUse: Hashable, Sendable {
  /// User and system time of its whole tree.
  package var cpuMicroseconds: UInt64?
  package var maxResidentBytes: UInt64?
  /// From disks.
  package var bytesRead: UInt64?
  /// To disks.
  package var bytesWritten: UInt64?
  /// Of the energy of the processors, by the share of their work.
  package var processorMillijoules: UInt64?
  /// Of the energy of its GPUs; known after the last, and taken out for the next one to be added.
  package var gpuMillijoules: UInt64?

  package init() {}

  /// What another attempt has used, beside this.
  ///
  /// `isFirst`: there was none before. Of energy nothing is known where one of them is not.
  package mutating func add(_ other: AttemptUse, isFirst: Bool) {
    let before = isFirst ? 0 : processorMillijoules
    processorMillijoules = before.flatMap { sum in
      other.processorMillijoules.map { sum.addedHeld($0) }
    }
    cpuMicroseconds = Self.sum(cpuMicroseconds, other.cpuMicroseconds)
    bytesRead = Self.sum(bytesRead, other.bytesRead)
    bytesWritten = Self.sum(bytesWritten, other.bytesWritten)
    maxResidentBytes =
      other.maxResidentBytes.map { max($0, maxResidentBytes ?? 0) } ?? maxResidentBytes
  }

  private static func sum(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
    guard let one, let other else { return one ?? other }
    return one.addedHeld(other)
  }
}
