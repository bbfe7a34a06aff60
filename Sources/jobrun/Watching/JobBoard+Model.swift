import JobClient
import JobCore
import JobWire

extension JobBoard {
  /// The view model for a terminal of `rows` rows.
  func model(at now: Moment, rows height: Int, takesKeys: Bool) -> BoardViewModel {
    let (rows, batches, selected) = (rows, batches, selectedRow)
    var model = BoardViewModel()
    model.selected = selected
    model.takesKeys = takesKeys
    model.isLost = isLost
    model.isReading = isReading
    model.notice = notice
    model.question = confirmation.map { question($0, batches) }
    model.retitling = retitling
    func item(_ row: BoardRow) -> BoardItem? {
      self.item(row, batches, isSelected: row == selected, at: now)
    }
    model.active = .init(rows.active, around: selected, rows: height, item: item)
    model.queued = .init(rows.queued, around: selected, rows: height, item: item)
    let places = model.queued.items.contains { $0.model.job.position != nil } ? placesInLine : [:]
    for index in model.queued.items.indices
    where model.queued.items[index].model.job.position != nil {
      let number = firstJob(of: model.queued.items[index].row)
      model.queued.items[index].model.job.position = number.flatMap { places[$0] }
    }
    model.ended = .init(rows.ended, around: selected, rows: height, item: item)
    model.pane = pane
    if case .job(let number) = pane { model.opened = item(.job(number)) }
    model.filter = filter
    model.search = search
    model.marked = marked.count
    let counted = active
    model.paused = counted.count { live[$0]?.state == .paused }
    model.running = counted.count - model.paused
    model.waiting = queued.count
    model.asking = counted.count { live[$0]?.prompt != nil }
    model.failed = past.count(where: isNew)
    model.lookedAt = lookedAt
    return model
  }

  /// From 1, of all that wait for their turn.
  private var placesInLine: [JobNumber: Int] {
    var places: [JobNumber: Int] = [:]
    for (index, number) in waitingNumbers.enumerated() where places[number] == nil {
      places[number] = index + 1
    }
    return places
  }

  private func question(
    _ asked: Confirmation, _ batches: [BatchKey: BoardBatch]
  ) -> BoardViewModel.Question {
    let subject = subject(of: asked, batches)
    switch asked.wish {
    case .cancel: return .init(text: "cancel \(subject)?")
    case .kill: return .init(text: "kill \(subject)?")
    case .pause:
      return .init(text: "pause \(subject)", keys: ": m 10 min, h 1 h, u until resumed")
    }
  }

  /// The jobs that a question is about.
  private func subject(of asked: Confirmation, _ batches: [BatchKey: BoardBatch]) -> String {
    if let key = asked.batch, let batch = batches[key] {
      return "\(asked.jobs.count) jobs of \(title(of: batch))"
    }
    guard asked.jobs.count == 1, let job = live[asked.jobs[0]] else {
      let others = live.count - asked.jobs.count
      let rest =
        switch others {
        case 0: "all of them"
        case 1: "1 other stays"
        default: "\(others) others stay"
        }
      return "the \(asked.jobs.count) marked jobs (\(rest))"
    }
    return "job \(job.number), \(SafeText.shown(job.title))"
  }

  private func item(
    _ row: BoardRow, _ batches: [BatchKey: BoardBatch], isSelected: Bool, at now: Moment
  ) -> BoardItem? {
    switch row {
    case .job(let number):
      guard let job = job(number) else { return nil }
      var item = BoardItem(
        row: row, model: jobModel(job, isSelected: isSelected, at: now),
        isMarked: marked.contains(number), isNew: isNew(job))
      // With a filter it does not stand below its batch.
      if filter.isEmpty, let key = keys[number], let batch = batches[key], pane == .jobs {
        item.isMember = true
        item.model.job.title = String(job.title.dropFirst(shared(by: batch).sharedCount))
      }
      return item
    case .batch(let key):
      guard let batch = batches[key] else { return nil }
      return batchItem(key, batch, at: now)
    }
  }

  private func jobModel(_ job: JobStatus, isSelected: Bool, at now: Moment) -> JobViewModel {
    let number = job.number
    var model = JobViewModel(job)
    if let reason = job.pendingReason, PendingTable.time(job, at: now) != nil {
      // A time as the clock here shows it.
      model.job.pendingReason = PendingReason(
        reason.code, PendingTable.sentence(job, at: now) ?? reason.message)
    }
    guard job.state != .ended else { return model }
    model.showsPlace = true
    model.elapsed = now.spent(on: job)
    model.pauseLeft = job.pauseLeft(at: now)
    model.rate = estimates[number]?.rate
    model.remaining = timesLeft[number]
    model.unchanged = pause(of: job, at: now) ?? job.prompt.map { now.since($0.since) }
    model.frame = frames[number] ?? 0
    model.takesKeys = isSelected
    return model
  }

  /// The common part of the titles of a batch; derived from a few of them.
  private func shared(by batch: BoardBatch) -> BatchTitle {
    // One by one: the type checker needs seconds for their sum.
    var some = Array(batch.running.prefix(3))
    some += batch.waiting.prefix(3)
    some += batch.waiting.suffix(3)
    some += batch.ended.prefix(3)
    some += batch.ended.suffix(3)
    return BatchTitle(some.compactMap { job($0)?.title })
  }

  private func title(of batch: BoardBatch) -> String { SafeText.shown(shared(by: batch).text) }

  /// One line, as of a job.
  private func batchItem(
    _ key: BatchKey, _ batch: BoardBatch, at now: Moment
  ) -> BoardItem? {
    guard var job = batch.all.first.flatMap({ self.job($0) }) else { return nil }
    let members = batch.all.compactMap { self.job($0) }
    job.number = key.range(count: 1).first
    job.title = "\(shared(by: batch).text) (\(QuantityText.grouped(batch.total)))"
    job.subtitle = ""
    job.prompt = nil
    job.message = nil
    job.state = !batch.running.isEmpty ? .running : batch.waiting.isEmpty ? .ended : .queued
    let paused = batch.running.count { live[$0]?.state == .paused }
    if paused > 0, paused == batch.running.count { job.state = .paused }
    if job.state == .queued {
      let first = batch.waiting.first.flatMap { live[$0] }
      (job.pendingReason, job.position) = (first?.pendingReason, first?.position)
    }
    job.progress = JobProgress(
      completed: UInt64(batch.endedCount), total: UInt64(max(1, batch.total)))
    job.progress?.fraction =
      Double(thousandths(of: batch)) / Double(max(1, batch.total) * 1_000)
    job.started = members.compactMap { $0.started }.min()
    job.paused = nil
    var model = JobViewModel(job)
    model.elapsed = job.started.map { now.since($0) } ?? .zero
    model.remaining = batchTimesLeft[key]
    model.tally = .init(
      running: batch.running.count - paused, paused: paused, waiting: batch.waiting.count,
      failed: batch.failed.count, cancelled: batch.cancelled)
    return BoardItem(
      row: .batch(key), model: model, isOpen: opened.contains(key),
      isMarked: !batch.live.isEmpty && marked.isSuperset(of: batch.live),
      isNew: members.contains(where: isNew))
  }
}

extension JobBoard {
  private func pause(of job: JobStatus, at now: Moment) -> Interval? {
    guard let progress = job.progress, progress.completed < progress.total || progress.total == 0,
      !job.isQuiet(at: now.wall)
    else { return nil }
    return estimates[job.number]?.pause(at: now.awake)
  }
}
