// The user's settings take precedence: new jobs that they forbid are refused, and waiting ones keep waiting.
// Running jobs keep their resources.
extension Scheduler {
  /// Applies new settings: jobs that they bar are passed over from now on, and jobs that they no longer bar may
  /// start.
  mutating func apply(_ settings: [JobIdentifier: BundleSettings]) {
    self.settings = settings
    admissionDue = true
    reconsiderPutOff(at: latest)
  }

  /// Starts power saving with its reason, or ends it with nil: background starts wait meanwhile.
  mutating func save(_ why: String?) {
    saving = why
    admissionDue = true
  }

  /// The machine is busy with other things from now on, or is not.
  mutating func wait(for pressure: String?, _ presence: String?) {
    (self.pressure, self.presence) = (pressure, presence)
    admissionDue = true
  }

  private var isBadMoment: Bool { saving != nil || pressure != nil || presence != nil }

  /// Whether deferrable work may have to wait for a better moment.
  package var awaitsMoment: Bool { saving != nil || pressure != nil }

  /// Whether some jobs wait until the machine is idle.
  package var awaitsIdleness: Bool { idleSeekers > 0 }

  /// The bar that keeps a waiting job from starting even with free slots; nil when there is none.
  func bar(on index: Int) -> Bar? {
    let terms = table[index].terms
    if let bar = bar(on: terms, isFirst: table[index].attempt == 1) { return bar }
    if table[index].machine != nil { return barOfMachine(index) }
    let options = terms.submission.options
    return options.requirements.isCounted ? countedBar(on: options, before: rank(index)) : nil
  }

  /// The same of a submission.
  func bar(on submission: Submission) -> Bar? {
    bar(on: JobTerms(submission))
      ?? countedBar(on: submission.options, before: rankOfNewcomer(submission))
  }

  /// `isFirst`: it has not begun before.
  private func bar(on terms: JobTerms, isFirst: Bool = true) -> Bar? {
    if !paces.isEmpty, let pace = terms.sort.pace, isResting(pace),
      let gap = terms.submission.options.startsApart
    {
      return .pace(gap)
    }
    guard !settings.isEmpty || isBadMoment || terms.submission.isDiscretionary else { return nil }
    if let bar = lastingBar(on: terms.sort) ?? momentBar(on: terms.sort) { return bar }
    if isFirst, let putOff = lackOfAllowance(terms.submission) {
      return .budget(putOff.reason.message)
    }
    guard let bundle = terms.submission.bundle, let most = settings[bundle]?.slots,
      slotsUsed(by: bundle) >= most
    else { return nil }
    return .slots(bundle, most)
  }

  private func momentBar(on sort: JobSort) -> Bar? {
    if sort.waitsForIdle, let presence { return .presence(presence) }
    guard sort.isScheduled else { return nil }
    return saving.map { .saving($0) } ?? pressure.map { .pressure($0) }
  }

  /// The bar that lasts until a person changes the settings.
  func lastingBar(on sort: JobSort) -> Bar? {
    guard let bundle = sort.bundle, let settings = settings[bundle] else { return nil }
    if settings.background == false, sort.isScheduled { return .background(bundle) }
    guard sort.isHere else { return nil }
    if settings.gpu == false, sort.row.needs.contains(.gpu) { return .gpu(bundle) }
    return settings.network == false && sort.row.needs.contains(.network) ? .network(bundle) : nil
  }

  /// Why a submission is not accepted, as Apple's is not of an app whose background work is off.
  func refusal(bySettings submission: Submission) -> Refusal? {
    if settings.isEmpty { return nil }
    return lastingBar(on: JobTerms(submission).sort).map { Refusal(.unavailable, $0.sentence) }
  }

  /// Puts passed-over jobs back in line, as many of each sort as may start.
  mutating func recallPassedOver(at now: Instant) {
    for lane in lines.indices where lanes.slotsFree(in: lane) > 0 {
      for sort in lines[lane].sortsAside
      where sort.machine == nil && (sort.counted.isEmpty || !countsResources(of: lane)) {
        if isBarred(sort) { continue }
        if sort.pace != nil {
          lines[lane].recall(sort, atMost: 1, at: now)
          continue
        }
        guard let bundle = sort.bundle, let most = settings[bundle]?.slots else {
          lines[lane].recall(sort, at: now)
          continue
        }
        lines[lane].recall(sort, atMost: max(0, most - slotsUsed(by: bundle)), at: now)
      }
    }
    recallCounted(at: now)
    if !lanes.pools.isEmpty { recallPooled(at: now) }
  }

  func isBarred(_ sort: JobSort) -> Bool {
    lastingBar(on: sort) != nil || momentBar(on: sort) != nil
      || sort.pace.map { isResting($0) } ?? false
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
