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
    if let confirmation { return answer(confirmation, Character(Unicode.Scalar(byte))) }
    switch pane {
    case .jobs: return receiveJobsKey(byte)
    case .keys: pane = .jobs
    case .log: receiveLogKey(byte)
    }
    return []
  }

  private mutating func receiveJobsKey(_ byte: UInt8) -> [Effect] {
    switch Character(Unicode.Scalar(byte)) {
    case "q", "Q": return [.finish(ExitCode.success)]
    case "j", "J": move(.down)
    case "k", "K": move(.up)
    case "c", "C": askToCancel()
    case "p", "P": return pauseOrResume()
    case "y", "Y": return answerPrompt(continues: true)
    case "n", "N": return answerPrompt(continues: false)
    case "l", "L": openLog()
    case "/": filter.isTyped = true
    case "?", "h": pane = .keys
    default: if Self.enter.contains(byte) { return attach() }
    }
    return []
  }

  private mutating func receiveLogKey(_ byte: UInt8) {
    switch Character(Unicode.Scalar(byte)) {
    case "j", "J": move(.down)
    case "k", "K": move(.up)
    case "q", "Q", "l", "L": pane = .jobs
    default: if Self.enter.contains(byte) { pane = .jobs }
    }
  }

  /// The Escape key: one step back.
  mutating func escape() {
    notice = nil
    if confirmation != nil {
      confirmation = nil
    } else if pane != .jobs {
      pane = .jobs
    } else {
      filter.clear()
    }
  }

  mutating func move(_ move: KeyMove) {
    switch pane {
    case .jobs: select(move)
    case .keys: pane = .jobs
    case .log: scroll(move)
    }
  }

  private mutating func select(_ move: KeyMove) {
    let order = active + queued + past.map { $0.number }
    guard !order.isEmpty else { return }
    let place = selected.flatMap(order.firstIndex(of:)) ?? 0
    let wanted =
      switch move {
      case .up: place - 1
      case .down: place + 1
      case .pageUp: place - pageRows
      case .pageDown: place + pageRows
      case .first: 0
      case .last: order.count - 1
      }
    chosen = order[min(max(0, wanted), order.count - 1)]
  }

  private mutating func scroll(_ move: KeyMove) {
    switch move {
    case .up: linesBelow += 1
    case .down: linesBelow -= 1
    case .pageUp: linesBelow += pageRows
    case .pageDown: linesBelow -= pageRows
    case .first: linesBelow = .max / 2
    case .last: linesBelow = 0
    }
    linesBelow = max(0, linesBelow)
  }

  private mutating func openLog() {
    guard let selected else {
      notice = "there is no job whose log could be shown"
      return
    }
    chosen = selected
    linesBelow = 0
    pane = .log(selected)
  }

  private mutating func attach() -> [Effect] {
    guard let selected else {
      notice = "there is no job to attach to"
      return []
    }
    guard live[selected] != nil else {
      notice = "job \(selected) has ended; l shows its log"
      return []
    }
    chosen = selected
    return [.attach(selected)]
  }

  private mutating func pauseOrResume() -> [Effect] {
    guard let selected, let job = live[selected] else {
      notice = "there is no job to pause"
      return []
    }
    chosen = selected
    return [.ask(job.pauseToggle)]
  }

  private mutating func askToCancel() {
    guard let selected else {
      notice = "there is no job to cancel"
      return
    }
    guard let job = live[selected] else {
      notice = "job \(selected) has already ended"
      return
    }
    chosen = selected
    confirmation = Confirmation(number: selected, now: job.state == .stopping)
  }

  /// Nothing stands above the first line of a log.
  mutating func holdLog(lines: Int, rows: Int) {
    linesBelow = min(linesBelow, max(0, lines - BoardView.logRows(of: rows)))
  }
}

extension JobStatus {
  /// What `p` asks for: the one that is paused goes on, any other is paused.
  ///
  /// One that waits for its slot to go on stays paused.
  var pauseToggle: Request {
    state == .paused && pendingReason == nil
      ? .resume(.number(number)) : .pause(.number(number), keepSlot: false)
  }
}
