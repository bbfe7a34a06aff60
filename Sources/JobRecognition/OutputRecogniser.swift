package import JobCore

/// Recognises progress in a program's output.
///
/// It gets the output as it grows, or its newest part. All forms of progress are tried; the first one found
/// stays until it is silent or complete, so that the numbers of two programs are not mixed. Taskbar sequences
/// take precedence over all others.
package struct OutputRecogniser: Sendable {
  /// A recogniser that is silent for this long is replaced by another.
  static let timeout = Interval.seconds(10)
  /// The same for a bar with another one drawn below it.
  private static let moment = Interval.seconds(2)
  /// One that rests this many times its longest rest is left, if others move.
  private static let restFactor: UInt64 = 3
  /// A count that first appears this many times its own duration after the output began covers a stage.
  private static let lateness: UInt64 = 5
  private static let lateNote = "a later stage"
  /// Counts that grow for less time than this, as in one burst of output, have no pace yet.
  private static let leastSpan = Interval.milliseconds(900)
  /// Until its pace is known, a count that first appears after this time is taken for that of a stage.
  private static let lateStart = Interval.seconds(60)
  /// The number of moves after which another one is not an accident.
  private static let enoughMoves = 3

  private var lines = OutputLines()
  private var recognisers: [any Recogniser]
  /// As they were before the first line.
  private let fresh: [any Recogniser]
  /// The index of the first guessing recogniser: all before it take precedence.
  private let guesses: Int
  private var chosen: Int?
  private var spokeAt = Instant(nanoseconds: 0)
  /// When the output began.
  private var begunAt: Instant?
  /// When the shown count was first heard, and how far it was.
  private var sighted = (at: Instant(nanoseconds: 0), share: 0.0)
  /// When the shown count last grew, its longest rest, and how often others have grown since.
  private var movedAt = Instant(nanoseconds: 0)
  private var longestRest = Interval.zero
  private var moves = 0
  private var otherMoves = 0
  private var otherLines = 0
  /// The shown progress was written over in its place.
  private var isInPlace = false
  private var stage = StageName()
  /// Part of the output was dropped since the shown progress was heard.
  private var hasGap = false
  private var usesTaskbar = false
  private var outer: OuterCounters
  private let told: ToldTotals
  private var inputs: InputNames
  private var phases: Phases
  /// The phases before the shown recogniser was chosen.
  private var earlierPhases: Phases
  /// Bars of the taskbar that the program has removed.
  private var taskbars = 0
  /// The recognisers whose counts have proved to be those of one repetition.
  private var inside: Set<Int> = []
  /// Whether the job's command is a list of several, each with its own progress.
  let hasManyCommands: Bool
  /// The newest counts and their recogniser; nil without any.
  package private(set) var finding: Finding?

  /// Tries all known forms.
  ///
  /// `command`: the job's command, which may contain the number of repetitions.
  package init(command: [String] = []) {
    told = ToldTotals(command)
    inputs = InputNames(command)
    outer = OuterCounters(told: told)
    hasManyCommands = ShellList.isMany(command)
    phases = Phases(areMany: hasManyCommands)
    earlierPhases = phases
    recognisers = OutputRecogniser.known
    guesses = recognisers.count
    // A count of items is more reliable than an unspecific percentage.
    recognisers.append(PlainCount())
    recognisers.append(PlainPercent())
    recognisers.append(TimeShare())
    recognisers.append(Countdown())
    fresh = recognisers
  }

  /// Whether a number in the output may yet prove to be progress.
  var isPromising: Bool { recognisers.contains { $0.isPromising } }

  /// Tries only one form.
  package init(only recogniser: any Recogniser) {
    told = ToldTotals()
    inputs = InputNames([])
    outer = OuterCounters()
    hasManyCommands = false
    phases = Phases()
    earlierPhases = phases
    recognisers = [recogniser]
    fresh = recognisers
    guesses = 1
  }

  /// The forms of progress that belong to certain programs, in the order in which they are asked.
  private static let known: [any Recogniser] = [
    RsyncMeter(), CurlMeter(), WgetMeter(), FFmpegStatus(), TqdmBar(), PipBar(), AptSteps(),
    BuildCounter(), CargoBar(), DdStatus(), BuildPercent(), CtestLines(), GdalTicks(), GitPhases(),
    JestSummary(), ImageLayers(), JSONReport(), AnnouncedItems(),
  ]

  /// In place of a recogniser's: counters of repetitions.
  private static let outerIndex = -1
  private static let taskbarIndex = -2

  /// Whether a person's own pattern, or make's plan, is the only form.
  private var isAlone: Bool { recognisers.count == 1 }

  /// Takes the next piece of the output, seen at `now`.
  package mutating func read(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for element in lines.read(Array(bytes)) {
      switch element {
      case .taskbar(let sequence): read(sequence)
      case .line(let line): read(line, at: now)
      }
    }
  }

  /// Part of the output before the next piece was dropped.
  package mutating func skip() {
    lines.skip()
    hasGap = true
    for index in recognisers.indices { recognisers[index].skip() }
  }

  private mutating func read(_ sequence: TaskbarSequence) {
    guard !isAlone else { return }
    switch sequence {
    case .removed:
      if usesTaskbar { taskbars += 1 }
      usesTaskbar = false
    case .indeterminate: break
    case .percent(let percent):
      usesTaskbar = true
      var finding = Finding(
        counts: ProgressCounts(hundredths: percent * 100), source: .osc, recogniser: "OSC 9;4")
      var bar = taskbars
      if place(&finding, of: Self.taskbarIndex, beside: false) { bar = 0 }
      if finding.note == nil {
        finding.counts = phases.read(finding.counts, by: Self.taskbarIndex, bar: bar)
        finding.note = phases.note
      }
      finding.isPart = finding.note != nil
      self.finding = finding
    }
  }

  /// Another attempt begins: the previous one's progress no longer counts.
  private mutating func restart() {
    recognisers = fresh
    chosen = nil
    usesTaskbar = false
    outer = OuterCounters(told: told)
    phases = Phases(areMany: hasManyCommands)
    earlierPhases = phases
    (taskbars, inside, hasGap, isInPlace, stage) = (0, [], false, false, StageName())
    (moves, otherMoves, longestRest) = (0, 0, .zero)
    (begunAt, finding) = (nil, nil)
  }

  private mutating func read(_ line: OutputLine, at now: Instant) {
    if line.isAttemptHeading { return restart() }
    if begunAt == nil { begunAt = now }
    // All recognisers read every line, because their state must be complete when it is their turn.
    let counted = !isAlone && outer.read(line)
    if counted, outer.hasMoved {
      for index in recognisers.indices { recognisers[index].beginRound() }
    }
    var heard: (index: Int, counts: ProgressCounts)?
    for index in recognisers.indices {
      let counts = recognisers[index].read(line)
      if index == chosen, recognisers[index].isMistaken { forget() }
      guard let counts else { continue }
      if index == chosen {
        if heard.map({ !mayReplace(index, by: $0.index) }) ?? true { heard = (index, counts) }
      } else if heard == nil, mayTakeOver(index, on: line, at: now) {
        heard = (index, counts)
      } else {
        otherMoves += 1
      }
    }
    guard !usesTaskbar else { return }
    if heard == nil, isOverDropped { forget() }
    if heard == nil, mayBegin { stage.read(line) }
    otherLines += heard == nil && !line.isRedrawn ? 1 : 0
    if heard == nil, mayEndEarly,
      otherLines >= Self.enoughMoves && isOver(at: now) || stage.endsEarly(line, finding?.counts)
    {
      forget()
    }
    if let heard {
      settle(heard.index, heard.counts, on: line, beside: counted, at: now)
    } else if counted {
      settleOuter(line)
    }
  }

  /// Whether the end of the shown progress may have been among the output that was dropped: since then it was not
  /// heard, and the line has a smaller share where none was before, as what comes next begins.
  private var isOverDropped: Bool {
    // A bar around which repetitions are counted begins again and again.
    guard hasGap, outer.isEmpty, let counts = finding?.counts, !counts.isComplete else {
      return false
    }
    return recognisers.contains { $0.beginning.map { $0 < counts.fraction } ?? false }
  }

  /// Whether a heading belongs to the next bar: none is shown, the shown one is over, or it has another heading.
  private var mayBegin: Bool {
    guard let finding else { return true }
    return finding.counts.isComplete || stage.heading != nil && finding.note == stage.heading
  }

  /// The shown progress proved wrong, or may be over.
  private mutating func forget() {
    chosen = nil
    if !usesTaskbar { finding = nil }
  }

  /// Applies a recogniser's counts.
  ///
  /// `beside`: its line also has an outer counter.
  private mutating func settle(
    _ index: Int, _ counts: ProgressCounts, on line: OutputLine, beside: Bool, at now: Instant
  ) {
    // A guess before a known program's line was not its progress, nor was the percentage that happened to grow
    // before the count did.
    if let chosen, chosen >= guesses, index < chosen,
      index < guesses || moves < Self.enoughMoves
    {
      phases = earlierPhases
    }
    note(counts, of: index, at: now)
    isInPlace = line.isRedrawn
    var finding = Finding(counts: counts, source: .output, recogniser: recognisers[index].name)
    finding.line = line.shown
    let isInside = place(&finding, of: index, beside: beside)
    judge(&finding, by: index, isInside: isInside, on: line)
    self.finding = finding
  }

  /// Combines counts with the counters of repetitions around them; whether they are those of one repetition.
  ///
  /// What may cover one repetition or all of them is shown as that of the first one, until that is over.
  private mutating func place(_ finding: inout Finding, of index: Int, beside: Bool) -> Bool {
    guard !isAlone, !outer.isEmpty, finding.counts.total > 0 else { return false }
    if index < 0 || !recognisers[index].isInner {
      guard index < 0 || recognisers[index].part == nil else { return false }
      if !outer.admits(finding.counts.fraction) { inside.insert(index) }
      guard inside.contains(index) else {
        if !outer.hasDone { finding.note = outer.note }
        return false
      }
    }
    let inner = outer.settle(beside: beside, inner: finding.counts.fraction)
    finding.counts = outer.share(inner: inner)
    finding.recogniser = "\(outer.name), \(finding.recogniser)"
    return true
  }

  /// Records when the shown progress moved.
  private mutating func note(_ counts: ProgressCounts, of index: Int, at now: Instant) {
    spokeAt = now
    hasGap = false
    if index != chosen {
      earlierPhases = phases
      (moves, otherMoves, otherLines) = (0, 0, 0)
      (longestRest, movedAt) = (.zero, now)
      sighted = (now, counts.fraction)
    } else if counts != finding?.counts {
      moves += 1
      (otherMoves, otherLines) = (0, 0)
      longestRest = max(longestRest, now - movedAt)
      movedAt = now
    }
    chosen = index
  }

  /// Determines the part that the counts cover; without one, they are assumed to cover the whole.
  private mutating func judge(
    _ finding: inout Finding, by index: Int, isInside: Bool, on line: OutputLine
  ) {
    guard !isAlone else { return }
    if finding.note != nil {
      // One repetition of several.
    } else if !isInside, let part = recognisers[index].part {
      finding.note = part
    } else if recognisers[index].isInner, outer.isEmpty,
      let name = stage.repetition(on: line, share: finding.counts.fraction)
    {
      finding.note = name
    } else if outer.isEmpty, let name = stage.heading {
      finding.note = name
    } else {
      let number = phases.number
      finding.counts =
        isInside
        ? phases.read(finding.counts, by: Self.outerIndex, bar: 0)
        : phases.read(finding.counts, by: index, bar: recognisers[index].bar)
      finding.note =
        inputs.name(on: line, hasBegunAgain: phases.number > number) ?? phases.note
        ?? (!isInside && isLateAndShort(by: index, finding.counts) ? Self.lateNote : nil)
    }
    finding.isPart = finding.note != nil
  }

  /// Whether a guess began so late, and is so quick, that it is hardly that of the whole.
  private func isLateAndShort(by index: Int, _ counts: ProgressCounts) -> Bool {
    guard index >= guesses, let begunAt else { return false }
    let late = sighted.at - begunAt
    let grown = counts.fraction - sighted.share
    guard grown > 0 else { return late >= Self.lateStart }
    let span = movedAt - sighted.at
    return span >= Self.leastSpan
      && Double(late.nanoseconds) * grown >= Double(span.nanoseconds * Self.lateness)
  }

  /// A repetition has begun or ended without progress inside it.
  private mutating func settleOuter(_ line: OutputLine) {
    let isInner = chosen.map { recognisers[$0].isInner } ?? true
    guard isInner else { return }
    outer.noteAlone(line)
    let counts = finding?.counts.unit == .share ? outer.share(inner: 0) : outer.alone
    guard outer.hasMoved, let counts else { return }
    let shown = phases.read(counts, by: Self.outerIndex, bar: 0)
    var finding = Finding(
      counts: shown, source: .output, recogniser: outer.name, note: phases.note)
    finding.isPart = finding.note != nil
    finding.line = line.shown
    self.finding = finding
  }

  /// A count replaces a percentage, in any order.
  private func mayReplace(_ index: Int, by other: Int) -> Bool {
    index >= guesses && other < index
  }

  private func mayTakeOver(_ index: Int, on line: OutputLine, at now: Instant) -> Bool {
    guard let chosen else { return true }
    if mayReplace(chosen, by: index) { return true }
    let counts = finding?.counts ?? ProgressCounts(completed: 0)
    if counts.isComplete, index < guesses { return true }
    if isLeft(for: line, at: now) { return true }
    // A percentage beside a count belongs to another subject, however slow the steps are.
    guard now - spokeAt >= Self.timeout else { return false }
    return index < guesses || counts.total == 0 || counts.isComplete
  }

  /// Whether the shown progress may end before it is complete.
  ///
  /// A part may, and so may a guess: a search that has found enough. What goes on after all is shown again.
  private var mayEndEarly: Bool {
    guard let chosen, let finding else { return false }
    return finding.isPart || chosen >= guesses && !finding.counts.isComplete
  }

  /// A part rests much longer than ever before, while other lines are printed.
  private func isOver(at now: Instant) -> Bool {
    let rest = Interval(nanoseconds: longestRest.nanoseconds * Self.restFactor)
    return moves >= 2 && now - movedAt > max(Self.timeout, rest)
  }

  /// The shown progress rests much longer than ever before, while others move.
  ///
  /// A bar after which other lines were printed is left earlier for one that is drawn below them.
  private func isLeft(for line: OutputLine, at now: Instant) -> Bool {
    guard moves >= 2, otherMoves >= Self.enoughMoves else { return false }
    let rest = Interval(nanoseconds: longestRest.nanoseconds * Self.restFactor)
    let isBelow = isInPlace && line.isRedrawn && otherLines > 0
    return now - movedAt > max(isBelow ? Self.moment : Self.timeout, rest)
  }
}
