import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

extension LiveJob {
  /// What the supervisor of an attempt wrote of it as its last act.
  ///
  /// `processorMillijoules`: its part of the energy of the processors; `bytesSent`: to the network; nil where
  /// that is not known.
  mutating func take(
    _ ended: RunRecord.Ended, _ transferred: BytesTransferred?,
    processorMillijoules: UInt64? = nil, bytesSent: UInt64? = nil
  ) {
    var attempt = ResourceUse()
    attempt.cpuMicroseconds = ended.cpuMicroseconds
    attempt.maxResidentBytes = ended.residentBytes
    attempt.bytesRead = transferred?.read
    attempt.bytesWritten = transferred?.written
    attempt.processorMillijoules = processorMillijoules
    // Most jobs send nothing.
    if let bytesSent, bytesSent > 0 { attempt[.bytesSent] = bytesSent }
    use.add(attempt, isFirst: self.attempt == 1)
    record(
      from: WallTime(milliseconds: ended.startedMilliseconds),
      to: WallTime(milliseconds: ended.endedMilliseconds))
    guard !ended.message.isEmpty else { return }
    // The message of a job that ended by itself is its own.
    if case .exited = ended.status { warning = ended.message } else { message = ended.message }
  }
}
