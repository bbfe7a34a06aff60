// Background starts are shared out: each bundle has a budget. A request beyond it waits on the agenda, as if
// its time had not come.
extension Scheduler {
  /// A request that waits although its own time has come.
  struct PutOff: Hashable, Sendable {
    let until: WallTime
    let reason: PendingReason
  }

  /// The used part of a bundle's budget, and when it gets more; `now` nil = the last reported time.
  ///
  /// Every start of a job of a scheduled kind counts, including starts by a person; simulated ones do not.
  package func allowance(of bundle: JobIdentifier, at now: WallTime? = nil) -> Allowance {
    guard let record = uses, let now = now ?? timeOfDay, settings[bundle]?.budget != false else {
      return Allowance(bundle)
    }
    return record.allowance(of: bundle, at: now)
  }

  /// The same for pushes, which are also limited in a row; waiting ones count as delivered.
  func allowance(ofPushesFor bundle: JobIdentifier) -> Allowance {
    guard let record = uses, let timeOfDay, settings[bundle]?.budget != false else {
      return Allowance(bundle)
    }
    let waiting = requests.elements.count { number in
      guard let index = table.index(of: number), !table[index].isActive else { return false }
      let submission = table[index].submission
      return submission.options.kind == .push && submission.bundle == bundle
    }
    return record.allowance(ofPushesFor: bundle, waiting: waiting, at: timeOfDay)
  }

  /// Of all bundles that have had something, by their names.
  package var allowances: [Allowance] { uses?.bundles.map { allowance(of: $0) } ?? [] }

  /// The budget in effect; nil = none.
  package var budget: Budget? { uses?.budget }

  /// Whether the time of day must be known to decide about an event.
  package func needsTime(for event: Event) -> Bool {
    guard uses != nil else { return false }
    return switch event {
    case .timeOfDay, .restore: false
    case .submit(_, let submission): submission.isDiscretionary || !requests.isEmpty
    case .redo(_, _, let submission, _, _): submission.isDiscretionary || !requests.isEmpty
    default: !requests.isEmpty
    }
  }

  /// Applies another budget, or none, and reconsiders requests that waited for the old one.
  mutating func share(by budget: Budget?, at now: Instant) {
    uses = budget.map { uses?.under($0) ?? UseRecord($0) }
    reconsiderPutOff(at: now)
  }

  /// Restores the starts of earlier runners.
  mutating func note(_ past: [UsageRecord], at now: Instant) {
    for use in past {
      uses?.note(use)
      if use.isPush, let push = use.identifier, let timeOfDay, use.startedAt <= timeOfDay {
        pushRests.noteLaunch(of: push, timeOfDay - use.startedAt, before: now)
      }
    }
  }

  mutating func reconsiderPutOff(at now: Instant) {
    for number in putOff.keys.sorted() {
      guard let index = table.index(of: number), leaveAgenda(index) else { continue }
      wait(index, announcing: .queued, at: now)
    }
  }

  /// Why a background start waits beyond its time; nil = it need not.
  ///
  /// A started job continues: its retries are limited by its own rules.
  func lackOfAllowance(_ submission: Submission) -> PutOff? {
    guard let bundle = submission.bundle, submission.isDiscretionary, let uses, let timeOfDay,
      settings[bundle]?.budget != false
    else { return nil }
    let allowance =
      submission.options.kind == .push
      ? uses.allowance(of: bundle, at: timeOfDay)
      : uses.allowance(of: bundle, for: submission.identifier, at: timeOfDay)
    guard let until = allowance.until, let why = allowance.why else { return nil }
    return PutOff(until: until, reason: PendingReason(.budget, why))
  }

  /// Counts the first attempt of a job that the runner picks the moment for.
  mutating func countStart(_ index: Int) {
    let terms = table[index].terms
    guard terms.isDiscretionary, let bundle = terms.submission.bundle,
      table[index].attempt == 1, let timeOfDay
    else { return }
    uses?.noteStart(of: bundle, terms.submission.identifier, at: timeOfDay)
  }

  /// Counts the live job that an earlier runner has started.
  mutating func countRestored(_ index: Int) {
    let submission = table[index].submission
    let age = table[index].isActive ? latest - table[index].watch.startedAt : .zero
    if submission.options.kind == .push, table[index].isActive {
      pushRests.noteLaunch(of: submission.identifier, age, before: latest)
    }
    guard submission.isDiscretionary, let bundle = submission.bundle, let timeOfDay,
      !table[index].isSimulated
    else { return }
    uses?.noteStart(of: bundle, submission.identifier, at: timeOfDay - age)
  }

  /// Counts the resource usage of an attempt.
  mutating func count(_ end: RunEnd, _ index: Int) {
    let terms = table[index].terms
    guard terms.isDiscretionary, let bundle = terms.submission.bundle, let timeOfDay,
      !table[index].isSimulated, !terms.submission.isFreeOfCharge
    else { return }
    uses?.note(end.processorTime, of: bundle, at: timeOfDay)
  }

  /// Counts how a job has ended; `end`: its last attempt, if it had one.
  mutating func countEnd(
    _ index: Int, _ outcome: Outcome, _ reason: StopReason?, _ end: RunEnd?
  ) {
    let terms = table[index].terms
    guard terms.isDiscretionary, table[index].isActive, let bundle = terms.submission.bundle,
      let timeOfDay, !table[index].isSimulated
    else { return }
    let use = UseEnd(
      outcome, reason?.code, wasKilled: table[index].isKilled || end?.status == .outlives,
      declaredSuccess: end?.declared == .success)
    uses?.note(use, of: bundle, at: timeOfDay)
    uses?.forget(before: timeOfDay)
  }
}

extension Submission {
  /// Whether the runner picks the moment for the sake of a bundle.
  var isDiscretionary: Bool { options.kind.isScheduled && bundle != nil }

  /// Whether its processor time is not counted: work that requires external power runs only on that, and stops
  /// without it, so that it never drains a battery.
  var isFreeOfCharge: Bool { options.kind == .processing && options.requirements.power }
}
