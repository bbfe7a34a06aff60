// A person's settings have the last word: what they do not allow is refused, and what waits already waits
// on. Nothing is taken from what runs.
extension Scheduler {
  /// The settings have changed: what they bar is passed over from now on, and what they no longer bar
  /// may start.
  mutating func apply(_ settings: [JobIdentifier: BundleSettings]) {
    self.settings = settings
    admissionDue = true
    reconsiderPutOff(at: latest)
  }

  /// Power is short from now on, in one sentence why, or is not: what the runner starts at moments of its
  /// own choice waits meanwhile.
  mutating func save(_ why: String?) {
    saving = why
    admissionDue = true
  }

  /// What keeps a job from starting, whatever room there is; nil when nothing does.
  ///
  /// `isFirst`: it has not begun before.
  func bar(on terms: JobTerms, isFirst: Bool = true) -> Bar? {
    guard !settings.isEmpty || saving != nil || terms.submission.isDiscretionary else { return nil }
    if let bar = lastingBar(on: terms.sort) ?? savingBar(on: terms.sort) { return bar }
    if isFirst, let putOff = lackOfAllowance(terms.submission) {
      return .budget(putOff.reason.message)
    }
    guard let bundle = terms.submission.bundle, let most = settings[bundle]?.slots,
      slotsUsed(by: bundle) >= most
    else { return nil }
    return .slots(bundle, most)
  }

  private func savingBar(on sort: JobSort) -> Bar? {
    sort.isScheduled ? saving.map { .saving($0) } : nil
  }

  /// What stays in the way until somebody changes the settings.
  func lastingBar(on sort: JobSort) -> Bar? {
    guard let bundle = sort.bundle, let settings = settings[bundle] else { return nil }
    if settings.background == false, sort.isScheduled { return .background(bundle) }
    if settings.gpu == false, sort.row.needs.contains(.gpu) { return .gpu(bundle) }
    return settings.network == false && sort.row.needs.contains(.network) ? .network(bundle) : nil
  }

  /// Why a submission is not accepted, as Apple's is not of an app whose background work is off.
  func refusal(bySettings submission: Submission) -> Refusal? {
    if settings.isEmpty { return nil }
    return lastingBar(on: JobTerms(submission).sort).map { Refusal(.unavailable, $0.sentence) }
  }

  /// Lets those come into question again that were passed over, as many of each sort as may start.
  mutating func recallPassedOver(at now: Instant) {
    for lane in lines.indices where ledger.lanes.slotsFree(in: lane) > 0 {
      for sort in lines[lane].sortsAside
      where lastingBar(on: sort) == nil && savingBar(on: sort) == nil {
        guard let bundle = sort.bundle, let most = settings[bundle]?.slots else {
          lines[lane].recall(sort, at: now)
          continue
        }
        lines[lane].recall(sort, atMost: max(0, most - slotsUsed(by: bundle)), at: now)
      }
    }
  }

  private func slotsUsed(by bundle: JobIdentifier) -> Int {
    var used = 0
    active.visit { number in
      if let index = table.index(of: number), table[index].lease.hasSlot,
        table[index].submission.bundle == bundle
      {
        used += 1
      }
      return true
    }
    return used
  }
}
