import JobCore
import JobWire
import LinuxSystem

/// The trace of one job and its file, which lies beside the log and is kept as long.
///
/// It is only for display: failed writes are ignored.
struct TraceFile {
  private let path: String
  var evidence: EvidenceFile
  private var trace: ProgressTrace
  private var isNew: Bool

  /// Continues the trace of an earlier attempt or runner.
  init(path: String, evidence: EvidenceFile) {
    self.path = path
    self.evidence = evidence
    let known = Self.read(path)
    trace = known ?? ProgressTrace()
    isNew = known == nil
  }

  private static func read(_ path: String) -> ProgressTrace? {
    guard let file = try? File.open(path, [.read, .noFollow, .nonblocking]),
      let bytes = try? file.readToEnd(limit: ProgressTrace.largestFile)
    else { return nil }
    return ProgressTrace(text: String(decoding: bytes, as: UTF8.self))
  }

  mutating func add(_ point: ProgressTrace.Point) {
    switch trace.add(point) {
    case .none: return
    case .appended where !isNew: write([.write, .append], point.line)
    case .appended, .thinned: write([.write, .create, .truncate], trace.text)
    }
    isNew = false
  }

  private func write(_ mode: File.Mode, _ text: String) {
    guard let file = try? File.open(path, mode.union([.noFollow, .nonblocking])) else { return }
    try? file.writeAll(Array(text.utf8))
  }
}

extension ProgressTrace.Mark {
  /// The mark of an announcement; nil if it is not an event of an attempt.
  init?(_ kind: Announcement.Kind) {
    switch kind {
    case .stalled: self = .stalled
    case .answered: self = .answered
    case .warned: self = .warned
    case .paused: self = .paused
    case .resumed: self = .resumed
    case .stopping: self = .stopping
    default: return nil
    }
  }
}
