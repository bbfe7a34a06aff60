import JobCore
import JobWire
import LinuxSystem

/// Where the state of a watched job goes: a live line, sparse lines, or JSON.
final class WatchDisplay {
  enum Style: Hashable {
    /// One line that changes in place.
    case live
    /// A line now and then, for files and dumb terminals.
    case sparse
    /// One JSON object per line on standard output.
    case json
    /// Only the job's own output.
    case none
  }

  let style: Style
  /// Whether the job's output is shown.
  let followsLog: Bool
  /// Prints only errors.
  let isQuiet: Bool
  private let data: Output
  private let talk: Output
  private let colour: Bool
  private var screen: LiveScreen
  private var sparse = SparseReport()
  private var filter = LogFilter()
  /// The beginning of a line whose end has not been written yet.
  private var openLine: [UInt8] = []
  /// Splits the log into lines for programs; nil = it is passed on unchanged.
  private var logLines: (lines: LogLines, number: JobNumber)?
  private var synchrony = SynchronisedOutput()
  /// At the last look another program had the terminal.
  private(set) var isInBackground = false
  private var taskbar: TaskbarProgress
  private var bell: TerminalBell
  private var timeLeft = SteadyTime()
  /// Whether the end of the job's output is shown above its line, and the help on keys below it.
  private var showsOutput = false
  /// The person has seen the output of the job.
  var omitsOutputEnd = false

  init(
    style: Style, followsLog: Bool, data: Output, talk: Output, colour: Bool,
    taskbar: TaskbarProgress.Way = .off, bell: TerminalBell.Wish = .never, isQuiet: Bool = false
  ) {
    self.isQuiet = isQuiet
    self.bell = TerminalBell(talk.isTerminal ? bell : .never)
    self.taskbar = TaskbarProgress(style == .live ? taskbar : .off)
    self.style = style
    self.followsLog = followsLog
    self.data = data
    self.talk = talk
    self.colour = colour && talk.isTerminal
    screen = LiveScreen(colour: self.colour)
  }

  /// One column is left free: a full line would make some terminals wrap.
  private var width: Int { max(1, (talk.columns ?? 80) - 1) }

  /// Brings the display up to date.
  func show(_ latest: JobViewModel, at now: Moment) {
    ring(for: latest.job)
    var model = latest
    model.remaining = timeLeft.receive(latest.remaining)
    switch style {
    case .live:
      guard !isBehind else { return }
      // A line that changes in place would overwrite what a person types to the shell.
      isInBackground = talk.isInBackground
      guard !isInBackground else { return tellSparsely(model, at: now) }
      let lines =
        outputEnd(of: model.job) + LiveView.lines(model, width: width) + keys(of: model)
      let text = screen.show(lines, width: width + 1) ?? ""
      let frame = synchrony.framed(text) + taskbar.show(model)
      if !frame.isEmpty { talk.write(frame: frame) }
    case .sparse: tellSparsely(model, at: now)
    case .json, .none: break
    }
  }

  /// From now on the end of the output is shown, too, as far as there is space.
  func showOutput() { showsOutput = style == .live && !followsLog }

  /// At most half of the screen, so that the old content stays visible.
  private func outputEnd(of job: JobStatus) -> [Line] {
    guard showsOutput, let rows = talk.size?.rows, rows >= 8 else { return [] }
    return LogReader.lastLines(rows / 2 - 2, of: job.log).map { $0.cut(to: width) }
  }

  private func keys(of model: JobViewModel) -> [Line] {
    guard showsOutput, model.takesKeys, talk.size?.rows ?? 0 >= 8 else { return [] }
    let pause = model.job.state == .paused ? "p resume" : "p pause"
    let texts = [
      "d detach   \(pause)   Ctrl-C cancel the job", "d detach  Ctrl-C cancel", "d detach",
    ]
    return [BoardView.fitting(texts, width: width)]
  }

  /// Whether a terminal has not accepted all yet: the next picture comes later.
  var isBehind: Bool { talk.isBusy || data.isBusy }

  /// Whether the terminal still has to take some of the job's output: more of it is read later.
  var holdsLog: Bool { style == .live && data.isTerminal ? talk.isBusy : data.isBusy }

  /// For a poll: ready once a terminal that is behind takes more.
  var room: [(number: Int32, interest: Interest)] {
    [talk.room, data.room].compactMap { $0 }
  }

  private func tellSparsely(_ model: JobViewModel, at now: Moment) {
    for line in sparse.lines(model, at: now.awake) { talk.write(line: line) }
  }

  /// Sends queries about the terminal's features, once they are worthwhile; only if their replies will be read.
  func askTerminal(at now: Moment) {
    guard style == .live, !talk.isBusy, let query = synchrony.query(at: now.awake.nanoseconds)
    else { return }
    talk.write(frame: query)
  }

  func learn(mode: Int, value: Int) {
    synchrony.learn(mode: mode, value: value)
  }

  /// From now on a terminal that accepts no output does not block.
  func begin() {
    guard style != .json else { return }
    talk.stopWaiting()
    if followsLog { data.stopWaiting() }
  }

  /// Reads outstanding replies of the terminal, and writes outstanding output.
  func settle(_ input: TerminalInput) {
    synchrony.settle(input)
    talk.waitAgain()
    data.waitAgain()
  }

  /// A line of the feed, for programs.
  func show(_ line: FeedLine) {
    guard style == .json else { return }
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    data.write(json: bytes)
  }

  /// Prints the page's progress, for programs: to clients that read the page themselves, the runner sends only
  /// observed progress.
  func tellProgress(_ model: JobViewModel) {
    var job = model.job
    job.progress?.rate = model.rate
    job.progress?.eta = model.remaining.map { Double($0.milliseconds) / 1_000 }
    show(.progress(job))
  }

  /// Prints a job as a line, for programs.
  func show(_ job: JobStatus) {
    guard style == .json else { return }
    data.write(json: job.json + [UInt8(ascii: "\n")])
  }

  /// One sentence for the person.
  func say(_ sentence: String) {
    guard !isQuiet else { return }
    if style == .live {
      let line = SafeText.shown(sentence) + "\r\n"
      talk.write(frame: synchrony.framed(screen.say(line, width: width + 1)))
    } else {
      talk.write(line: sentence)
    }
  }

  /// From now on the log of this job comes as one object for each line.
  func cutLog(of number: JobNumber, _ lines: LogLines) {
    logLines = (lines, number)
  }

  /// The job's output has ended, perhaps within a line.
  func endLog() {
    if let number = logLines?.number, let piece = logLines?.lines.last() {
      data.write(json: piece.json(of: number))
    }
    if !openLine.isEmpty { clear() }
  }

  /// Shows output of the job.
  func show(log bytes: [UInt8]) {
    guard !bytes.isEmpty, style != .json else { return }
    if let number = logLines?.number {
      for piece in logLines?.lines.receive(bytes) ?? [] {
        data.buffer(json: piece.json(of: number))
      }
      return data.flush()
    }
    guard data.isTerminal else { return data.write(log: bytes) }
    let shown = filter.filtered(bytes)
    guard style == .live else { return data.write(log: shown) }
    // Only whole lines can stand above the live one.
    openLine += shown
    guard let end = openLine.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let text = String(decoding: openLine[...end], as: UTF8.self)
    openLine.removeSubrange(...end)
    talk.write(logFrame: synchrony.framed(screen.say(text, width: width + 1)))
  }

  /// Takes the live line away.
  func clear() {
    guard style == .live else { return }
    talk.write(frame: screen.clear(width: width + 1) + taskbar.clear())
    guard !openLine.isEmpty else { return }
    talk.write(log: openLine + [UInt8(ascii: "\n")])
    openLine = []
  }

  private func ring(for job: JobStatus) {
    if bell.rings(for: job) { talk.write(frame: TerminalBell.character) }
  }

  /// Prints the summary of an ended job.
  func conclude(_ job: JobStatus) {
    clear()
    ring(for: job)
    switch style {
    case .json: show(job)
    case .none where !isQuiet || job.outcome == .succeeded: break
    case .none, .live, .sparse:
      talk.buffer(line: Receipt.line(job), colour: colour)
      if job.outcome == .failed, !followsLog, !omitsOutputEnd {
        for line in Receipt.outputEnd(job) { talk.buffer(line: "  | \(line)") }
      }
      talk.flush()
    }
  }

  /// Whether the reader has gone.
  var isClosed: Bool { isRead && data.isClosed }

  /// For a poll: ready once the reader has gone.
  var departures: [(number: Int32, interest: Interest)] { isRead ? [data.departure] : [] }

  func readerLeft() { data.readerLeft() }

  /// Whether something is written to standard output, and not only to the person.
  private var isRead: Bool { style == .json || followsLog }
}
