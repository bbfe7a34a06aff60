import JobClient
import JobCore
import JobWire

extension JobBoard {
  /// As terminals send it, and as some turn it.
  private static let enter: [UInt8] = [0x0D, 0x0A]

  mutating func receiveKey(_ byte: UInt8) -> [Effect] {
    notice = nil
    if filter.isTyped {
      filter.type(byte)
      return []
    }
    if search.isTyped {
      typeSearch(byte)
      return []
    }
    if let retitling { return type(byte, into: retitling) }
    if let confirmation { return answer(confirmation, Character(Unicode.Scalar(byte))) }
    switch pane {
    case .jobs: return receiveJobsKey(byte)
    case .keys: pane = .jobs
    case .job(let number): return receiveJobKey(byte, number)
    case .log: receiveLogKey(byte)
    }
    return []
  }

  private mutating func receiveJobsKey(_ byte: UInt8) -> [Effect] {
    switch Character(Unicode.Scalar(byte)) {
    case "q", "Q": return [.finish(ExitCode.success)]
    case "j", "J": move(.down)
    case "k", "K": move(.up)
    case " ": toggleMark()
    case "i", "I": invertMarks()
    case "s", "S": sort()
    case "l", "L": openLog()
    case "/": filter.isTyped = true
    case "?", "h": pane = .keys
    default:
      guard Self.enter.contains(byte) else { return act(byte) }
      open()
    }
    return []
  }

  /// The keys for jobs, in all panes.
  private mutating func act(_ byte: UInt8) -> [Effect] {
    switch Character(Unicode.Scalar(byte)) {
    case "c", "C": askToCancel()
    case "p": return pauseOrResume()
    case "P": askHowLong()
    case "e", "E": retitle()
    case "t", "T": return moveFirst()
    case "r", "R": return runAgain()
    case "f", "F": selectFailed()
    case "y", "Y": return answerPrompt(continues: true)
    case "n", "N": return answerPrompt(continues: false)
    default: break
    }
    return []
  }

  private mutating func receiveJobKey(_ byte: UInt8, _ number: JobNumber) -> [Effect] {
    switch Character(Unicode.Scalar(byte)) {
    case "j", "J": move(.down)
    case "k", "K": move(.up)
    case "q", "Q": pane = .jobs
    case "l", "L":
      pane = .log(number)
      isLogOfJob = true
    case "?", "h": pane = .keys
    default:
      guard Self.enter.contains(byte) else { return act(byte) }
      pane = .jobs
    }
    return []
  }

  private mutating func receiveLogKey(_ byte: UInt8) {
    switch Character(Unicode.Scalar(byte)) {
    case "j", "J": move(.down)
    case "k", "K": move(.up)
    case "g": move(.first)
    case "G": move(.last)
    case "/":
      search.clear()
      search.isTyped = true
    case "n": find(isBack: false)
    case "N": find(isBack: true)
    case "q", "Q", "l", "L": leavePane()
    default: if Self.enter.contains(byte) { leavePane() }
    }
  }

  private mutating func typeSearch(_ byte: UInt8) {
    search.type(byte)
    if !search.isTyped, !search.isEmpty { find(isBack: false) }
  }

  private mutating func find(isBack: Bool) {
    if search.isEmpty {
      notice = "nothing is searched for: / begins a search"
    } else {
      logSteps.append(.find(search.text, isBack: isBack))
    }
  }

  /// What keys have asked of the log since it was drawn.
  mutating func takeLogSteps() -> [LogWindow.Step] {
    defer { logSteps = [] }
    return logSteps
  }

  /// One step back.
  private mutating func leavePane() {
    if case .log(let number) = pane, isLogOfJob { pane = .job(number) } else { pane = .jobs }
    isLogOfJob = false
    (search, logSteps) = (TypedText(), [])
  }

  /// The Escape key: one step back.
  mutating func escape() {
    notice = nil
    if confirmation != nil || retitling != nil {
      (confirmation, retitling) = (nil, nil)
    } else if search.isTyped || !search.isEmpty {
      search.clear()
      logSteps.append(.forget)
    } else if pane != .jobs {
      leavePane()
    } else if !marked.isEmpty {
      marked = []
    } else {
      filter.clear()
    }
  }

  mutating func move(_ move: KeyMove) {
    switch pane {
    case .jobs: select(move)
    case .keys: pane = .jobs
    case .job:
      select(move)
      if let selected { look(into: selected) }
    case .log: logSteps.append(.move(move))
    }
  }

  /// A page ends where the rows of a kind do, so that no row is skipped.
  private mutating func select(_ move: KeyMove) {
    let rows = rows
    let order = rows.all
    guard !order.isEmpty else { return }
    let place = selectedRow.flatMap(order.firstIndex(of:)) ?? 0
    let ends = [rows.active.count, rows.active.count + rows.queued.count, order.count]
    let end = ends.first { place < $0 } ?? order.count
    let start = ends.last { $0 <= place } ?? 0
    let wanted =
      switch move {
      case .up: place - 1
      case .down: place + 1
      case .pageUp: place == start ? place - 1 : max(start, place - pageRows)
      case .pageDown: place == end - 1 ? place + 1 : min(end - 1, place + pageRows)
      case .first: 0
      case .last: order.count - 1
      }
    chosen = order[min(max(0, wanted), order.count - 1)]
  }

  private mutating func sort() {
    sorting = sorting.next
    notice = "running jobs by \(sorting.words)"
  }

  private mutating func openLog() {
    guard let selected else {
      notice =
        selectedRow == nil
        ? "there is no job whose log could be shown" : "each job has a log: Enter opens the batch"
      return
    }
    chosen = .job(selected)
    pane = .log(selected)
  }

  /// Opens or closes a batch; opens a job's pane.
  private mutating func open() {
    switch selectedRow {
    case nil: notice = "there is no job to open"
    case .batch(let key):
      chosen = .batch(key)
      if opened.remove(key) == nil { opened.insert(key) }
    case .job(let number): look(into: number)
    }
  }

  private mutating func look(into number: JobNumber) {
    chosen = .job(number)
    seen.insert(number)
    pane = .job(number)
  }

  /// Selects the next failed job, unseen ones first.
  private mutating func selectFailed() {
    let failed = past.filter { $0.hasFailed }
    let order = (failed.filter(isNew) + failed.filter { !isNew($0) }).map { $0.number }
    guard !order.isEmpty else {
      notice = "no job has failed"
      return
    }
    let place = selected.flatMap(order.firstIndex(of:)).map { ($0 + 1) % order.count } ?? 0
    if let key = keys[order[place]], batches[key] != nil { opened.insert(key) }
    chosen = .job(order[place])
    if case .job = pane { look(into: order[place]) }
  }
}
