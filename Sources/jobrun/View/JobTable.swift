import JobClient
import JobCore
import JobWire

/// The table of `jobrun list`: one row for each job, and below it its reason or question; shared reasons are
/// shown once above their jobs, after the others.
///
/// It is laid out page by page, so that a list of any length needs constant memory: a column is as wide as its
/// page needs, and at least as wide as on the page before. Nearly all lists have one page.
struct JobTable {
  /// The jobs of a page.
  static let pageRows = 4_096
  /// The width of numbers in a list of several pages, so that larger ones still fit.
  private static let numberUsual = 6
  /// The limit of titles, where lines have one.
  private static let titleWidest = 32
  /// What is left of a title in a narrow terminal, so that the times of all jobs are seen.
  private static let titleNarrowest = 12

  /// Nil: lines are not cut.
  private let width: Int?
  private let now: Moment
  private var page: [Row] = []
  private var widths = [Int](repeating: 0, count: 7)
  /// The heading of the last printed row.
  private var heading: String?
  private var isFirst = true
  private let folds: Bool
  /// The jobs of a submission that are not in a row yet.
  private var fold: Fold?
  /// Those of a submission none of which is listed so far.
  private var skipped: (key: BatchKey, size: Int, live: Int)?

  /// `width` is that of the terminal; nil without one, and lines are not cut.
  ///
  /// `folds`: the jobs of one submission are one row.
  init(width: Int?, at now: Moment, folds: Bool = false) {
    self.width = width
    self.now = now
    self.folds = folds
  }

  /// The whole table of these jobs.
  static func lines(
    _ jobs: [JobStatus], width: Int?, at now: Moment, folds: Bool = false
  ) -> [Line] {
    var table = JobTable(width: width, at: now, folds: folds)
    var lines: [Line] = []
    for job in jobs { lines += table.add(job) }
    return lines + table.finish()
  }

  /// The lines that can be printed once this job is known, too; jobs come ascending.
  mutating func add(_ job: JobStatus) -> [Line] {
    let key = folds ? BatchKey(job) : nil
    if let key, fold?.key == key {
      fold?.add(job)
      return []
    }
    endFold()
    let lines = page.count >= Self.pageRows ? takePage(isLast: false) : []
    if let key {
      fold = Fold(job, key)
      if let skipped, skipped.key == key { fold?.addUnlisted(skipped.live, size: skipped.size) }
      skipped = nil
    } else {
      page.append(Row(job, at: now))
    }
    return lines
  }

  /// A job between these that is not to be listed, and counts for its submission nevertheless.
  mutating func addUnlisted(_ job: JobStatus) {
    guard folds, let key = BatchKey(job) else { return }
    let size = job.terms.batchSize ?? key.place(of: job.number)
    let live = job.state == .ended ? 0 : 1
    if fold?.key == key {
      fold?.addUnlisted(live, size: size)
    } else {
      skipped = (key, size, live + (skipped?.key == key ? skipped?.live ?? 0 : 0))
    }
  }

  /// The last lines.
  mutating func finish() -> [Line] {
    endFold()
    return takePage(isLast: true)
  }

  private mutating func endFold() {
    // Taking it moves all of a large value, even if there is none.
    guard fold != nil, let done = fold.take() else { return }
    guard done.count > 1 else { return page.append(Row(done.first, at: now)) }
    page.append(Row(done, at: now))
    page += done.asking.map { Row($0, at: now) }
  }

  /// Shows of each title what differs within its batch.
  private mutating func fitTitles() {
    var titles: [BatchKey: [String]] = [:]
    for row in page {
      if let batch = row.batch { titles[batch.key, default: []].append(batch.title) }
    }
    let shared = titles.filter { $0.value.count > 1 }.mapValues { BatchTitle($0) }
    for index in page.indices {
      page[index].fitTitle(
        page[index].batch.flatMap { shared[$0.key] }, widest: width == nil ? nil : Self.titleWidest)
    }
  }

  /// Narrows what may be narrowed if the columns, without the identifiers, are wider than the terminal: the states of
  /// submissions, which are sentences, stand out of their column then, and titles are cut.
  private mutating func fit(into width: Int) {
    if excess(over: width) > 0 {
      widths[1] = page.lazy.filter { !$0.isFolded }.map { $0.widths[1] }.max() ?? widths[1]
    }
    let room = max(Self.titleNarrowest, widths[3] - max(0, excess(over: width)))
    guard room < widths[3] else { return }
    widths[3] = room
    for index in page.indices { page[index].fitTitle(nil, widest: room) }
  }

  private func excess(over width: Int) -> Int {
    widths.reduce(0) { $1 > 0 ? $0 + $1 + 2 : $0 } - width
  }

  private mutating func takePage(isLast: Bool) -> [Line] {
    let isWhole = isFirst && isLast
    fitTitles()
    for row in page {
      for column in widths.indices { widths[column] = max(widths[column], row.widths[column]) }
    }
    if let width { fit(into: width) }
    if !isWhole { widths[0] = max(widths[0], Self.numberUsual) }
    let counts = SharedReasons.counts(page.compactMap { $0.sharable })
    var alone: [Line] = []
    var groups: [Group] = []
    for row in page {
      let line = row.line(widths, width: width)
      if let reason = row.sharable, reason == heading || counts[reason, default: 0] > 1 {
        let place = groups.firstIndex { $0.reason == reason } ?? groups.count
        if place == groups.count { groups.append(Group(reason: reason)) }
        groups[place].rows.append((row.position, line))
        continue
      }
      alone.append(line)
      if let note = row.note {
        let text = String(repeating: " ", count: widths[0] + 2) + note
        alone.append(Line(Self.cut(text, to: width), .warning))
      }
    }
    page.removeAll(keepingCapacity: true)
    isFirst = false
    return joined(groups, alone, isWhole: isWhole)
  }

  /// Jobs that wait for the same.
  private struct Group {
    let reason: String
    var rows: [(position: Int, line: Line)] = []

    /// First to start first.
    var lines: [Line] {
      rows.sorted { $0.position < $1.position }.map { $0.line }
    }
  }

  /// Groups that continue from the page before come first; counts are known only for a whole list.
  private mutating func joined(_ groups: [Group], _ alone: [Line], isWhole: Bool) -> [Line] {
    var lines: [Line] = []
    let goingOn = heading
    for group in groups where group.reason == goingOn { lines += group.lines }
    lines += alone
    if !alone.isEmpty { heading = nil }
    for group in groups where group.reason != goingOn {
      let count = isWhole ? "\(group.rows.count)" : "these"
      let text = "\(count) wait: \(SafeText.shown(group.reason))"
      lines.append(Line(Self.cut(text, to: width), .warning))
      lines += group.lines
      heading = group.reason
    }
    return lines
  }

  private static func cut(_ text: String, to width: Int?) -> String {
    width.map { TextWidth.start(of: text, fitting: $0) } ?? text
  }
}
