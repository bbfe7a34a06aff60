/// The process that runs a hosted job, for certain within a boot.
package struct JobHost: Hashable, Sendable {
  /// Of one scheduler in that process.
  package var mark: String
  package var pid: Int32
  /// In clock ticks after boot.
  package var startTime: UInt64

  package init(mark: String, pid: Int32, startTime: UInt64) {
    self.mark = mark
    self.pid = pid
    self.startTime = startTime
  }
}
