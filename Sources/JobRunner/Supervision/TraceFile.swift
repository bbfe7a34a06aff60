import JobCore
import JobWire
import LinuxSystem

/// The trace of one job and its file, which lies beside the log and stays for as long as that.
///
/// It is a picture and nothing is decided by it: what cannot be written is left out.
struct TraceFile {
  private let path: String
  var evidence: EvidenceFile
  private var trace: ProgressTrace
  private var isNew: Bool

  /// Goes on with what an earlier attempt or runner has left.
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
  /// What a turn announces; nil for what is no news of an attempt.
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
