import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The outputs of many jobs, each whole, in the order of their inputs: that of a job is printed once it and all
/// before it have ended.
struct BatchOutput {
  /// What separates the outputs.
  enum Form: Hashable {
    case headings, plain
    /// The job's number and a tab before each line.
    case tags
  }

  private let range: JobRange
  private let form: Form
  private let paths: Paths
  private let data: Output
  private let title: (Int) -> String
  /// Those that have ended, behind the next.
  private var ended: Set<JobNumber> = []
  private var next: JobNumber
  private var isFirst = true
  /// The output that is printed in part; that of `next`.
  private var current: Current?
  /// Live jobs while a list of them arrives; nil otherwise.
  private var listed: Set<JobNumber>?

  private struct Current {
    var reader: LogReader
    var printing: LogPrinting
    var filter = LogFilter()
    var isLineOpen = false
  }

  /// `title` returns the title of a job by its index.
  init(
    _ range: JobRange, _ form: Form, paths: Paths, data: Output, title: @escaping (Int) -> String
  ) {
    self.range = range
    self.form = form
    self.paths = paths
    self.data = data
    self.title = title
    next = range.first
  }

  /// Returns what else must be asked of the runner.
  mutating func take(_ event: WatchEvent) -> [WatchEffect] {
    switch event {
    case .feed(.event(_, _, .ended, let job)):
      if job.number >= next, job.number <= range.last { ended.insert(job.number) }
    case .answered(.tally, _):
      // Earlier ends were not announced to this client: whatever is not among the live jobs has ended.
      listed = []
      return [.ask(.list(all: false, brief: true))]
    case .listed(let job): listed?.insert(job.number)
    case .answered(.count, to: .list):
      if let live = listed.take() { endAll(but: live) }
    default: break
    }
    return []
  }

  /// All others have ended.
  mutating func endAll(but live: Set<JobNumber> = []) {
    guard next <= range.last else { return }
    for value in next.value...range.last.value where !live.contains(JobNumber(value)) {
      ended.insert(JobNumber(value))
    }
  }

  /// Whether there is something to print.
  var isReady: Bool { !data.isClosed && (isWithin || ended.contains(next)) }

  /// Whether the output of a job is printed in part.
  var isWithin: Bool { current != nil }

  /// Prints what is ready, as far as the terminal takes it.
  mutating func printReady() throws(WireError) {
    while isReady, !data.isBusy {
      if try !showMore() {
        current = nil
        ended.remove(next)
        next = JobNumber(next.value + 1)
      }
    }
    data.flush()
  }

  /// Prints a portion of the next output; false at its end.
  private mutating func showMore() throws(WireError) -> Bool {
    var now = current ?? begun(next)
    let bytes = try WireError.from(.internal) { () throws(SystemError) in try now.reader.next() }
    guard let last = bytes.last else {
      // The next output begins on a line of its own.
      if now.isLineOpen, form != .plain { data.buffer(line: "") }
      return false
    }
    now.isLineOpen = last != UInt8(ascii: "\n")
    data.buffer(log: now.printing.receive(data.isTerminal ? now.filter.filtered(bytes) : bytes))
    current = now
    return true
  }

  /// Begins an output with its heading.
  private mutating func begun(_ number: JobNumber) -> Current {
    if form == .headings {
      if !isFirst { data.buffer(line: "") }
      let title = title(Int(number.value - range.first.value))
      data.buffer(line: SafeText.shown("==> \(number) \(title) <=="))
    }
    isFirst = false
    return Current(
      reader: LogReader(path: paths.log(number)),
      printing: LogPrinting(tag: form == .tags ? Array("\(number)\t".utf8) : nil, first: nil))
  }
}

extension BatchOutput.Form {
  /// Nil without `--follow`.
  init?(_ invocation: Invocation) throws(WireError) {
    let (tags, plain) = (invocation.isSet(.tag), invocation.isSet(.noHeading))
    guard invocation.isSet(.followBatch) else {
      if tags || plain {
        throw WireError(
          .usage,
          "\(tags ? Flag.tag.spelling : Flag.noHeading.spelling) needs \(Flag.followBatch.spelling), which prints"
            + " the outputs")
      }
      return nil
    }
    self = tags ? .tags : plain ? .plain : .headings
  }
}
