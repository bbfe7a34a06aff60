/// ffmpeg's status line (`frame=… time=00:00:01.44 …`) and its `-progress` output, out of the duration of the
/// longest input.
struct FFmpegStatus: Recogniser {
  let name = "ffmpeg"
  let isInner = true
  /// In milliseconds; 0 = unknown.
  private var duration: UInt64 = 0

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    let bytes = line.trimmed
    if let rest = bytes.starts(with: "Duration: ") ? bytes.after("Duration: ") : nil {
      duration = max(duration, rest.before(",")?.clockMilliseconds ?? 0)
      return nil
    }
    return status(bytes) ?? (line.isComplete ? report(bytes) : nil)
  }

  private func status(_ bytes: Piece) -> ProgressCounts? {
    guard bytes.starts(with: "frame=") || bytes.starts(with: "size="), bytes.contains("bitrate="),
      let time = bytes.after("time=")
    else { return nil }
    if let share = ProgressCounts(part: time.before(" ")?.clockMilliseconds ?? 0, of: duration) {
      return share
    }
    return bytes.after("frame=")?.split(separator: 0x20).first?.wholeNumber
      .map { ProgressCounts(completed: $0) }
  }

  /// A key and a value a line; `out_time_ms` counts microseconds, too.
  private func report(_ bytes: Piece) -> ProgressCounts? {
    guard let time = bytes.starts(with: "out_time_us=") ? bytes.after("=")?.wholeNumber : nil
    else { return nil }
    return ProgressCounts(part: time / 1000, of: duration) ?? ProgressCounts(completed: time / 1000)
  }
}
