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

  /// Of more logs than these none stays open: a process may have about a thousand files.
  private static let openLogs = 256

  private struct Log {
    var reader: LogReader
    var filter = LogFilter()
    /// For programs; nil = as it is.
    var lines: LogLines?
    /// The beginning of a line that has no end yet.
    var open: [UInt8] = []
  }

  private let wanted: Set<JobNumber>?
  private let lines: UInt64?
  private let hasTags: Bool
  private let isJSON: Bool
  private let data: Output
  private var logs: [JobNumber: Log] = [:]
  private var seen: Set<JobNumber> = []
  private var isFirst = true
  /// The jobs that had not started at the last update.
  private var waiting: Set<JobNumber> = []
  /// The newest job at the last update.
  private var newest = JobNumber(0)
  private(set) var isOver = false

  /// `wanted`: nil = what runs and what starts meanwhile.
  init(_ wanted: Set<JobNumber>?, lines: UInt64?, hasTags: Bool, isJSON: Bool, data: Output) {
    self.wanted = wanted
    self.lines = lines
    self.hasTags = hasTags
    self.isJSON = isJSON
    self.data = data
  }

  /// `live`: the jobs that have not ended, listed after `newest` was the newest of all.
  mutating func update(
    _ live: [JobStatus], newest: JobNumber, _ paths: Paths
  ) throws(WireError) {
    let mine = live.filter { wanted?.contains($0.number) ?? true }
    let running = Set(mine.lazy.filter { $0.state.hasPage }.map { $0.number })
    let numbers = Set(mine.map { $0.number })
    for number in new(running, numbers, newest).sorted() where seen.insert(number).inserted {
      logs[number] = try log(at: paths.log(number))
    }
    isFirst = false
    waiting = numbers.subtracting(running)
    self.newest = max(self.newest, newest)
    try printNew()
    for number in logs.keys.sorted() where !numbers.contains(number) {
      if try show(number, isLast: true) { logs[number] = nil }
    }
    data.flush()
    // The next of those that start one after another.
    let isDue = mine.contains { $0.pendingReason?.code == .pace }
    // What a terminal has not taken yet is printed after the next list.
    isOver = logs.isEmpty && !data.isBusy && (wanted == nil ? !isDue : mine.isEmpty)
  }

  /// The jobs to print from now on, including those that have started and ended since the last update.
  private func new(
    _ running: Set<JobNumber>, _ live: Set<JobNumber>, _ newest: JobNumber
  ) -> Set<JobNumber> {
    // Those that have ended before are printed, too, if they were named.
    if let wanted { return isFirst ? wanted : running }
    if isFirst { return running }
    var ended = waiting.subtracting(live)
    if self.newest < newest {
      for value in self.newest.value + 1...newest.value where !live.contains(JobNumber(value)) {
        ended.insert(JobNumber(value))
      }
    }
    return running.union(ended)
  }

  private func log(at path: String) throws(WireError) -> Log {
    try WireError.from(.internal) { () throws(SystemError) -> Log in
      var log = Log(reader: LogReader(path: path))
      if isFirst, let lines { log.reader = try LogReader(path: path, lines: lines) }
      if isJSON { log.lines = LogLines(after: try log.reader.linesBefore()) }
      return log
    }
  }

  mutating func printNew() throws(WireError) {
    for number in logs.keys.sorted() { _ = try show(number, isLast: false) }
    data.flush()
  }

  /// Prints what is new, as far as the terminal takes it; whether that was all.
  private mutating func show(_ number: JobNumber, isLast: Bool) throws(WireError) -> Bool {
    guard var log = logs[number] else { return true }
    while !data.isClosed {
      guard !data.isBusy else {
        logs[number] = log
        return false
      }
      let bytes = try WireError.from(.internal) { () throws(SystemError) in try log.reader.next() }
      if bytes.isEmpty { break }
      if let pieces = log.lines?.receive(bytes) {
        for piece in pieces { data.buffer(json: piece.json(of: number)) }
        continue
      }
      log.open += data.isTerminal ? log.filter.filtered(bytes) : bytes
      let end = log.open.lastIndex(of: UInt8(ascii: "\n"))
      guard let end = end ?? (log.open.count > Self.pieceBytes ? log.open.count - 1 : nil) else {
        continue
      }
      write(log.open[...end], of: number)
      log.open.removeSubrange(...end)
    }
    if isLast, let piece = log.lines?.last() { data.buffer(json: piece.json(of: number)) }
    if isLast, !log.open.isEmpty {
      write(log.open[...], of: number)
      data.buffer(line: "")
      log.open = []
    }
    if logs.count > Self.openLogs { log.reader.release() }
    logs[number] = log
    return true
  }

  private func write(_ bytes: ArraySlice<UInt8>, of number: JobNumber) {
    var printing = LogPrinting(tag: hasTags ? Array("\(number)\t".utf8) : nil, first: nil)
    data.buffer(log: printing.receive(Array(bytes)))
  }
}
