import JobClient
import JobCore
import JobWire

// What keys bring about with jobs.
extension JobBoard {
  /// Marks the selected job, or all of a batch that has not ended, and goes on to the next row.
  mutating func toggleMark() {
    guard let row = selectedRow else { return }
    let jobs: [JobNumber]
    switch row {
    case .job(let number): jobs = live[number] == nil ? [] : [number]
    case .batch(let key): jobs = batches[key]?.live ?? []
    }
    guard !jobs.isEmpty else {
      notice = "only jobs that have not ended can be marked"
      return
    }
    if marked.isSuperset(of: jobs) { marked.subtract(jobs) } else { marked.formUnion(jobs) }
    move(.down)
  }

  /// What is marked no longer is, and all other live jobs are.
  mutating func invertMarks() {
    marked = Set(active + queued).subtracting(marked)
  }

  mutating func askToCancel() {
    let jobs = meant.filter { live[$0] != nil }
    guard !jobs.isEmpty else {
      notice = selected.map { "job \($0) has already ended" } ?? "there is no job to cancel"
      return
    }
    chosen = selectedRow
    let areStopping = jobs.allSatisfy { live[$0]?.state == .stopping }
    confirmation = Confirmation(
      jobs: jobs, batch: meantBatch, wish: areStopping ? .kill : .cancel)
  }

  /// Those that run, or are paused and are to be so for another time.
  mutating func askHowLong() {
    let jobs = begun
    guard !jobs.isEmpty else {
      notice = "there is no job to pause"
      return
    }
    chosen = selectedRow
    confirmation = Confirmation(jobs: jobs, batch: meantBatch, wish: .pause)
  }

  private var begun: [JobNumber] {
    meant.filter { live[$0].map { $0.state != .queued } ?? false }
  }

  /// The batch that is meant as a whole.
  private var meantBatch: BatchKey? {
    guard marked.isEmpty, case .batch(let key) = selectedRow else { return nil }
    return key
  }

  private func selection(_ key: BatchKey) -> JobSelection {
    .range(key.range(count: max(1, batches[key]?.total ?? 1)))
  }

  mutating func answer(_ asked: Confirmation, _ key: Character) -> [Effect] {
    confirmation = nil
    if asked.wish == .pause { return pause(asked, key) }
    guard key == "y" || key == "Y" else {
      notice = asked.jobs.count == 1 ? "job \(asked.jobs[0]) goes on" : "nothing was cancelled"
      return []
    }
    marked = []
    let isNow = asked.wish == .kill
    return targets(asked).map { .ask(.cancel($0, now: isNow)) }
  }

  /// The jobs of a question: a batch as one.
  private func targets(_ asked: Confirmation) -> [JobTarget] {
    if let batch = asked.batch { return [.some(selection(batch))] }
    return asked.jobs.map { .one(.number($0)) }
  }

  private mutating func pause(_ asked: Confirmation, _ key: Character) -> [Effect] {
    let length: Interval?
    switch key {
    case "m", "M": length = .minutes(10)
    case "h", "H": length = .minutes(60)
    case "u", "U": length = nil
    default:
      notice = "nothing was paused"
      return []
    }
    for number in asked.jobs { askedToPause[number] = true }
    return targets(asked).map { .ask(.pause($0, keepSlot: false, length: length)) }
  }

  mutating func pauseOrResume() -> [Effect] {
    let jobs = begun
    guard !jobs.isEmpty else {
      notice = "there is no job to pause"
      return []
    }
    chosen = selectedRow
    let pauses = jobs.contains { !isPaused($0) }
    for number in jobs { askedToPause[number] = pauses }
    if let batch = meantBatch {
      let jobs = JobTarget.some(selection(batch))
      return [.ask(pauses ? .pause(jobs, keepSlot: false) : .resume(jobs))]
    }
    return jobs.map { number in
      .ask(
        pauses
          ? .pause(.one(.number(number)), keepSlot: false) : .resume(.one(.number(number))))
    }
  }

  /// As it will be once the runner has done what it was asked for last; one that waits for its slot to go on
  /// stays paused.
  private func isPaused(_ number: JobNumber) -> Bool {
    askedToPause[number] ?? live[number].map { $0.state == .paused && $0.pendingReason == nil }
      ?? false
  }

  /// A job that waits is to start before all others of its priority.
  mutating func moveFirst() -> [Effect] {
    let jobs = meant.filter { live[$0]?.state == .queued }
    guard !jobs.isEmpty else {
      notice = "only a waiting job can be made the next one"
      return []
    }
    // The one that is moved last is first.
    return jobs.reversed().map { .ask(.move(.number($0), behind: nil)) }
  }

  /// An ended job; of a batch those that failed.
  mutating func runAgain() -> [Effect] {
    if case .batch(let key) = selectedRow {
      let failed = (batches[key]?.failed ?? []).sorted()
      if failed.isEmpty { notice = "no job of it has failed" }
      return failed.map { .ask(.redo(.number($0))) }
    }
    guard let selected, let job = job(selected), job.state == .ended else {
      notice = "only a job that has ended can be run again"
      return []
    }
    chosen = .job(selected)
    return [.ask(.redo(.number(selected)))]
  }

  /// Begins to type the title of a job that waits; the program of a job that runs sets its own.
  mutating func retitle() {
    guard let selected, let job = live[selected], job.state == .queued else {
      notice =
        selectedRow == nil ? "there is no job to rename" : "only a waiting job can be renamed"
      return
    }
    chosen = .job(selected)
    let text = TypedText(job.title, longest: Limits.titleBytes)
    retitling = Retitling(job: selected, text: text)
    retitling?.text.isTyped = true
  }

  mutating func type(_ byte: UInt8, into title: Retitling) -> [Effect] {
    var title = title
    title.text.type(byte)
    retitling = title.text.isTyped ? title : nil
    guard !title.text.isTyped, title.text.text != live[title.job]?.title else { return [] }
    var edit = JobEdit()
    edit.title = title.text.text
    return [.ask(.edit(.number(title.job), edit))]
  }

  /// Only of the job that is selected: an answer meant for one must never stop another.
  mutating func answerPrompt(continues: Bool) -> [Effect] {
    if let selected, live[selected]?.prompt != nil {
      chosen = .job(selected)
      notice = "job \(selected) \(continues ? "goes on" : "is stopped")"
      return [.ask(.answer(.number(selected), continues: continues))]
    }
    if let asking = active.first(where: { live[$0]?.prompt != nil }) {
      chosen = .job(asking)
      notice = "job \(asking) asks; y or n now answers it"
    } else {
      notice = "no job asks anything"
    }
    return []
  }
}

extension JobStatus {
  /// What `p` asks for: the one that is paused goes on, any other is paused.
  ///
  /// One that waits for its slot to go on stays paused.
  var pauseToggle: Request {
    state == .paused && pendingReason == nil
      ? .resume(.one(.number(number))) : .pause(.one(.number(number)), keepSlot: false)
  }
}
