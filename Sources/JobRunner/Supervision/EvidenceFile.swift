import JobCore
import JobRuntime
import JobWire
import LinuxSystem

/// From what the progress of one job was recognised, and its file, which stays for as long as the log.
///
/// A change is written once it shows: of the rule, of what must be said beside the numbers, or of a
/// percentage. Nothing is decided by it: what cannot be written is left out.
struct EvidenceFile {
  /// What makes two looks the same to a person.
  private struct Mark: Hashable {
    var attempt: Int
    var origin: ProgressOrigin
    var total: UInt64
    var percent: UInt64
  }

  private let path: String
  private var last: Mark?
  private var bytes: UInt64

  init(path: String) {
    self.path = path
    bytes = ((try? File.status(path)) ?? nil)?.size ?? 0
  }

  /// Takes a look at a job.
  mutating func add(_ liveJob: LiveJob, attempt: Int, at now: WallTime) {
    let sample = liveJob.sample
    var origin = liveJob.origin
    let isRecognised = origin.source != .page
    guard isRecognised || last.map({ $0.origin.source != .page }) ?? false else { return }
    // The line changes with each number.
    origin.line = nil
    let share = sample.total == 0 ? 0 : Double(sample.completed) / Double(sample.total)
    let mark = Mark(
      attempt: attempt, origin: origin, total: isRecognised ? sample.total : 0,
      percent: isRecognised ? UInt64(min(1, share) * 100) : 0)
    guard mark != last else { return }
    let isOtherRule = mark.origin != last?.origin
    last = mark
    // The second half of the room is for what is found by another rule.
    guard bytes < UInt64(ProgressEvidence.largestFile) / (isOtherRule ? 1 : 2) else { return }
    let evidence = ProgressEvidence(
      at: now, attempt: attempt, progress: isRecognised ? liveJob.progress(at: .now(), now) : nil)
    write(evidence.line)
  }

  private mutating func write(_ line: [UInt8]) {
    guard
      let file = try? File.open(path, [.write, .create, .append, .noFollow, .nonblocking]),
      (try? file.writeAll(line)) != nil
    else { return }
    bytes += UInt64(line.count)
  }
}
