import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The outputs of several jobs, of which whole lines are printed.
struct FollowedLogs {
  /// Between two lists of the jobs.
  static let listInterval: UInt64 = 500_000_000
  /// A longer line is printed in pieces.
  private static let pieceBytes = 64 * 1024

  private struct Log {
    var tail: LogTail
    var filter = LogFilter()
    /// The beginning of a line that has no end yet.
    var open: [UInt8] = []
  }

  private let wanted: Set<JobNumber>?
  private let lines: UInt64?
  private let hasTags: Bool
  private let data: Output
  private var logs: [JobNumber: Log] = [:]
  private var seen: Set<JobNumber> = []
  private(set) var isOver = false

  init(_ wanted: Set<JobNumber>?, lines: UInt64?, hasTags: Bool, data: Output) {
    self.wanted = wanted
    self.lines = lines
    self.hasTags = hasTags
    self.data = data
  }

  /// `live`: the jobs that have not ended.
  mutating func update(_ live: [JobStatus], _ paths: Paths) throws(WireError) {
    let isFirst = seen.isEmpty
    let mine = live.filter { wanted?.contains($0.number) ?? true }
    let running = Set(mine.lazy.filter { $0.state.hasPage }.map { $0.number })
    // Those that have ended before are printed, too, if they were named.
    let new = isFirst ? (wanted ?? running).union(running) : running
    for number in new.sorted() where seen.insert(number).inserted {
      let path = paths.log(number)
      let tail = try WireError.from(.internal) { () throws(SystemError) -> LogTail in
        if isFirst, let lines { return try LogTail(path: path, lines: lines) }
        return LogTail(path: path)
      }
      logs[number] = Log(tail: tail)
    }
    try printNew()
    let numbers = Set(mine.map { $0.number })
    for number in logs.keys.sorted() where !numbers.contains(number) {
      try show(number, isLast: true)
      logs[number] = nil
    }
    data.flush()
    isOver = wanted == nil ? running.isEmpty : mine.isEmpty
  }

  mutating func printNew() throws(WireError) {
    for number in logs.keys.sorted() { try show(number, isLast: false) }
    data.flush()
  }

  private mutating func show(_ number: JobNumber, isLast: Bool) throws(WireError) {
    guard var log = logs[number] else { return }
    while !data.isClosed {
      let bytes = try WireError.from(.internal) { () throws(SystemError) in try log.tail.next() }
      if bytes.isEmpty { break }
      log.open += data.isTerminal ? log.filter.filtered(bytes) : bytes
      let end = log.open.lastIndex(of: UInt8(ascii: "\n"))
      guard let end = end ?? (log.open.count > Self.pieceBytes ? log.open.count - 1 : nil) else {
        continue
      }
      write(log.open[...end], of: number)
      log.open.removeSubrange(...end)
    }
    if isLast, !log.open.isEmpty {
      write(log.open[...], of: number)
      data.buffer(line: "")
      log.open = []
    }
    logs[number] = log
  }

  private func write(_ bytes: ArraySlice<UInt8>, of number: JobNumber) {
    var printing = LogPrinting(tag: hasTags ? Array("\(number)\t".utf8) : nil, first: nil)
    data.buffer(log: printing.receive(Array(bytes)))
  }
}
