import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

extension LiveJob {
  /// What the supervisor of an attempt wrote of it as its last act.
  mutating func take(_ ended: RunRecord.Ended, _ transferred: BytesTransferred?) {
    var attempt = AttemptUse()
    attempt.cpuMicroseconds = ended.cpuMicroseconds
    attempt.maxResidentBytes = ended.residentBytes
    attempt.bytesRead = transferred?.read
    attempt.bytesWritten = transferred?.written
    use.add(attempt)
    record(
      from: WallTime(milliseconds: ended.startedMilliseconds),
      to: WallTime(milliseconds: ended.endedMilliseconds))
    if !ended.message.isEmpty { message = ended.message }
  }
}
